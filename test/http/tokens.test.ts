import { env } from 'cloudflare:workers';
import { createExecutionContext } from 'cloudflare:test';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { app } from '../../src/http/app.ts';
import { FOR_PEOPLE } from '../../src/view/principal.ts';
import { newToken, TokenRecord, type TokenScope } from '../../src/view/token.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const DIGEST = digestOf('x');

/** Nobody has begun the session. */
function sessionRoute(call: `${'GET' | 'POST' | 'DELETE'} /v1/sessions/:id${string}`) {
  const [method = '', route = ''] = call.split(' ');
  const path = route.replace(':id', `ses_${'0'.repeat(26)}`);
  return { method, route, path, scope: 'skills:read' as const, statuses: [404] };
}

/** Every route with a body that it takes, and the scope it needs. A route that is missing here fails the first test. */
const ROUTES: readonly {
  method: string;
  route: string;
  path?: string;
  body?: unknown;
  scope: TokenScope;
  statuses: readonly number[];
}[] = [
  { method: 'GET', route: '/v1/listing', scope: 'skills:read', statuses: [200] },
  { method: 'GET', route: '/v1/skills', scope: 'skills:read', statuses: [200] },
  {
    method: 'GET',
    route: '/v1/skills/:name',
    path: '/v1/skills/search?q=x',
    scope: 'skills:read',
    statuses: [200],
  },
  { method: 'GET', route: '/v1/skills/:name', path: '/v1/skills/x', scope: 'skills:read', statuses: [200] },
  {
    method: 'GET',
    route: '/v1/skills/:name/body',
    path: '/v1/skills/x/body',
    scope: 'skills:read',
    statuses: [200],
  },
  {
    method: 'GET',
    route: '/v1/skills/:name/files/*',
    path: '/v1/skills/x/files/SKILL.md',
    scope: 'skills:read',
    statuses: [200],
  },
  { method: 'POST', route: '/v1/decisions', body: { skill: 'x' }, scope: 'skills:invoke', statuses: [200] },
  {
    method: 'POST',
    route: '/v1/decisions/simulate',
    body: { rules: {} },
    scope: 'skills:invoke',
    statuses: [200],
  },
  { method: 'GET', route: '/v1/policy', scope: 'skills:read', statuses: [200] },
  {
    method: 'PUT',
    route: '/v1/policy',
    path: '/v1/policy?layer=project:web',
    body: { rules: [] },
    scope: 'settings:write',
    statuses: [200],
  },
  { method: 'GET', route: '/v1/approvals', scope: 'decisions:approve', statuses: [200] },
  {
    method: 'POST',
    route: '/v1/approvals/:id',
    path: '/v1/approvals/apr_x',
    body: { action: 'approve' },
    scope: 'decisions:approve',
    statuses: [404],
  },
  { method: 'POST', route: '/v1/invoke', body: { skill: 'x' }, scope: 'skills:invoke', statuses: [200] },
  {
    method: 'POST',
    route: '/v1/invoke/:id/shell',
    path: '/v1/invoke/inv_x/shell',
    body: { skill: 'x', outputs: [] },
    scope: 'skills:invoke',
    statuses: [409],
  },
  { method: 'POST', route: '/v1/mentions', body: { text: '$x' }, scope: 'skills:read', statuses: [200] },
  { method: 'POST', route: '/v1/detect', body: { message: 'x' }, scope: 'skills:read', statuses: [200] },
  { method: 'POST', route: '/v1/runs', body: { skill: 'x' }, scope: 'runs:start', statuses: [202] },
  { method: 'GET', route: '/v1/runs', scope: 'skills:invoke', statuses: [200] },
  { method: 'GET', route: '/v1/runs/:id', path: '/v1/runs/run_x', scope: 'skills:invoke', statuses: [404] },
  {
    method: 'GET',
    route: '/v1/runs/:id/events',
    path: '/v1/runs/run_x/events',
    scope: 'skills:invoke',
    statuses: [404],
  },
  {
    method: 'POST',
    route: '/v1/runs/:id/cancel',
    path: '/v1/runs/run_x/cancel',
    scope: 'runs:start',
    statuses: [404],
  },
  {
    method: 'POST',
    route: '/v1/runs/:id/approvals',
    path: '/v1/runs/run_x/approvals',
    body: { id: 'act_1', action: 'approve' },
    scope: 'decisions:approve',
    statuses: [404],
  },
  {
    method: 'POST',
    route: '/v1/runs/:id/tool-results',
    path: '/v1/runs/run_x/tool-results',
    body: { id: 'act_1', output: '' },
    scope: 'runs:start',
    statuses: [404],
  },
  {
    method: 'GET',
    route: '/v1/runs/:id/files',
    path: '/v1/runs/run_x/files',
    scope: 'skills:invoke',
    statuses: [404],
  },
  {
    method: 'GET',
    route: '/v1/runs/:id/files/*',
    path: '/v1/runs/run_x/files/a',
    scope: 'skills:invoke',
    statuses: [404],
  },
  { method: 'POST', route: '/v1/sessions', body: {}, scope: 'skills:read', statuses: [201] },
  ...(['GET /v1/sessions/:id', 'DELETE /v1/sessions/:id', 'POST /v1/sessions/:id/listing'] as const).map(
    sessionRoute,
  ),
  ...(
    ['POST /v1/sessions/:id/compact', 'POST /v1/sessions/:id/host', 'POST /v1/sessions/:id/paths'] as const
  ).map(sessionRoute),
  { ...sessionRoute('POST /v1/sessions/:id/rules'), body: {}, scope: 'decisions:approve' },
  {
    method: 'POST',
    route: '/v1/sessions/:id/hooks/:event',
    path: `/v1/sessions/ses_${'0'.repeat(26)}/hooks/Stop`,
    body: {},
    scope: 'skills:invoke',
    // Without a key.
    statuses: [400],
  },
  { method: 'GET', route: '/v1/settings', scope: 'skills:read', statuses: [200] },
  { method: 'GET', route: '/v1/secrets', scope: 'secrets:write', statuses: [200] },
  {
    method: 'PUT',
    route: '/v1/secrets/:name',
    path: '/v1/secrets/KEY',
    body: { value: 'x' },
    scope: 'secrets:write',
    statuses: [200],
  },
  {
    method: 'DELETE',
    route: '/v1/secrets/:name',
    path: '/v1/secrets/NONE',
    scope: 'secrets:write',
    statuses: [404],
  },
  { method: 'GET', route: '/v1/usage', scope: 'skills:read', statuses: [200] },
  { method: 'GET', route: '/v1/audit', scope: 'audit:read', statuses: [200] },
  { method: 'PUT', route: '/v1/settings', body: {}, scope: 'settings:write', statuses: [200] },
  {
    method: 'POST',
    route: '/v1/push/missing',
    body: { layer: 'org', digests: [DIGEST] },
    scope: 'layers:push',
    statuses: [200],
  },
  {
    method: 'PUT',
    route: '/v1/push/blobs',
    path: '/v1/push/blobs?layer=org',
    body: new Uint8Array(),
    scope: 'layers:push',
    statuses: [422],
  },
  {
    method: 'POST',
    route: '/v1/push/head',
    body: { layer: 'org', catalog: DIGEST, index: DIGEST, expected: null },
    scope: 'layers:push',
    statuses: [409],
  },
  {
    method: 'PUT',
    route: '/v1/layers/:layer/skills/:name',
    path: '/v1/layers/org/skills/y?dry_run=1',
    body: { files: [{ path: 'SKILL.md', text: skillText('y') }] },
    scope: 'layers:push',
    statuses: [200],
  },
  {
    method: 'DELETE',
    route: '/v1/layers/:layer/skills/:name',
    path: '/v1/layers/org/skills/nope',
    scope: 'layers:push',
    statuses: [404],
  },
  { method: 'GET', route: '/v1/quarantine', scope: 'decisions:approve', statuses: [200] },
  ...(
    [
      ['GET', '/v1/quarantine/:id', undefined],
      ['GET', '/v1/quarantine/:id/files/*', undefined],
      ['POST', '/v1/quarantine/:id', { action: 'accept' }],
    ] as const
  ).map(([method, route, body]) => ({
    method,
    route,
    path: route.replace(':id', 'qua_x').replace('*', 'SKILL.md'),
    body,
    scope: 'decisions:approve' as const,
    statuses: [404],
  })),
];

let organisation = '';
beforeAll(async () => {
  organisation = newOrganisation();
  await push(await tokenFor(organisation), 'org', treeOf({ 'x/SKILL.md': skillText('x') }));
});

describe('every route', () => {
  it('is in the table', () => {
    const served = app.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`);
    expect([...new Set(served)].toSorted()).toEqual(
      [...new Set(['GET /healthz', ...ROUTES.map(({ method, route }) => `${method} ${route}`)])].toSorted(),
    );
  });

  describe.each(ROUTES)('$method $route $path', ({ method, route, path = route, body, scope, statuses }) => {
    const status = async (token: string | undefined, headers: Record<string, string> = {}) => {
      const response = await call(method, path, { token, body, headers });
      const problem = response.headers.get('Content-Type') === 'application/problem+json';
      expect(problem).toBe(response.status >= 400);
      return response.status;
    };

    it('answers a token of the organisation', async () => {
      expect(statuses).toContain(await status(await tokenFor(organisation)));
    });

    it('answers 401 without a token, with a wrong, an expired, a forged and a development one', async () => {
      const valid = await tokenFor(organisation);
      const wrong = [
        undefined,
        '',
        'x',
        valid.slice(0, -1),
        `${valid}x`,
        newToken(organisation, { development: false }).text,
        newToken(organisation, { development: true }).text,
        await tokenFor(organisation, { expiresAt: Date.now() - 1 }),
        // The secret of one organisation under the name of another.
        (await tokenFor(newOrganisation())).replace(/^ske_[^_]+/, `ske_${organisation}`),
      ];
      for (const token of wrong) expect([token, await status(token)]).toEqual([token, 401]);
    });

    it('answers 403 without its scope', async () => {
      const scopes = (await import('../../src/view/token.ts')).ALL_SCOPES.filter(
        (candidate) => candidate !== scope,
      );
      expect(await status(await tokenFor(organisation, { scopes }))).toBe(403);
    });

    it('answers an agent 403 where its scope is for people, whatever else it is', async () => {
      const agent = await tokenFor(organisation, { actor: 'agent' });
      const answer = await status(agent);
      if (FOR_PEOPLE[scope] === undefined) expect(statuses).toContain(answer);
      else expect(answer).toBe(403);
    });
  });
});

describe('tokens', () => {
  it('are stored as hashes only', async () => {
    const token = await tokenFor(organisation);
    const { keys } = await env.KV.list({ prefix: 't/' });
    expect(keys.some(({ name }) => name === `t/${digestOf(token).slice(7)}`)).toBe(true);
    const values = await Promise.all(keys.map(({ name }) => env.KV.get(name)));
    expect(JSON.stringify([keys, values])).not.toContain(token.slice(-43));
  });

  it('from before trust was asked for are those of trusted services', () => {
    const before = { version: 1, organisation, label: 'x', scopes: [], layers: null, expiresAt: null };
    expect(TokenRecord.parse(before)).toMatchObject({ trust: 'trusted', actor: 'service' });
    for (const more of [{ trust: 'agent-created' }, { trust: 'x' }, { actor: 'x' }])
      expect(TokenRecord.safeParse({ ...before, ...more }).success).toBe(false);
  });

  it('that are bound name their layers and no other', async () => {
    const token = await tokenFor(organisation, { layers: ['user:alice'] });
    const names = async (query: string) => {
      const page: { skills?: { name: string }[]; code?: string } = await (
        await call('GET', `/v1/skills${query}`, { token })
      ).json();
      return page.skills?.map(({ name }) => name) ?? page.code;
    };
    await push(token, 'user:alice', treeOf({ 'mine/SKILL.md': skillText('mine') }));
    expect(await names('?scope=user:alice')).toEqual(['mine', 'x']);
    expect(await names('')).toEqual(['mine', 'x']);
    expect(await names('?scope=user:bob')).toBe('forbidden');
    expect((await push(token, 'org', treeOf({}))).response.status).toBe(403);
  });

  it.each([
    'scope=team:x',
    'scope=user:',
    `scope=${Array.from({ length: 9 }, (_, index) => `user:u${index}`).join(',')}`,
  ])('with a bad %s are told so', async (query) => {
    const response = await call('GET', `/v1/listing?${query}`, { token: await tokenFor(organisation) });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, 'scope_invalid']);
  });
});

describe('a development token', () => {
  const { text, hash } = newToken('dev', { development: true });
  const local = { ...env, DEPLOYMENT: 'local', DEVELOPMENT_TOKEN_HASH: hash };
  const status = async (bindings: Env, origin: string) => {
    const request = new Request(`${origin}/v1/listing`, { headers: { Authorization: `Bearer ${text}` } });
    return (await app.fetch(request, bindings, createExecutionContext())).status;
  };

  it('works on the local server that was made for it, and nowhere else', async () => {
    expect(await status(local, 'http://localhost:8787')).toBe(200);
    expect(await status(local, 'http://127.0.0.1:8787')).toBe(200);
    expect(await status(local, 'https://skilledge.example')).toBe(401);
    expect(await status(local, 'http://localhost.example')).toBe(401);
    expect(await status({ ...local, DEPLOYMENT: 'production' }, 'http://localhost:8787')).toBe(401);
    expect(await status({ ...local, DEVELOPMENT_TOKEN_HASH: '' }, 'http://localhost:8787')).toBe(401);
    expect(
      await status({ ...local, DEVELOPMENT_TOKEN_HASH: digestOf('other') }, 'http://localhost:8787'),
    ).toBe(401);
  });

  it('is not looked up: a stored record does not make it valid', async () => {
    await env.KV.put(
      `t/${hash.slice(7)}`,
      JSON.stringify({
        version: 1,
        organisation: 'dev',
        label: 'x',
        scopes: ['skills:read'],
        layers: null,
        expiresAt: null,
      }),
    );
    expect(await status(env, 'http://localhost:8787')).toBe(401);
  });
});
