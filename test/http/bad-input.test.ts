import { beforeAll, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x') }));
});

const JSON_ROUTES = [
  ['POST', '/v1/decisions'],
  ['POST', '/v1/decisions/simulate'],
  ['POST', '/v1/invoke'],
  ['POST', '/v1/mentions'],
  ['POST', '/v1/detect'],
  ['POST', '/v1/runs'],
  ['POST', '/v1/runs/run_x/approvals'],
  ['POST', '/v1/runs/run_x/tool-results'],
  ['POST', '/v1/approvals/apr_x'],
  ['PUT', '/v1/settings'],
  ['PUT', '/v1/policy?layer=project:web'],
  ['POST', '/v1/sessions/ses_00000000000000000000000000/rules'],
  ['PUT', '/v1/secrets/KEY'],
  ['POST', '/v1/push/missing'],
  ['POST', '/v1/push/head'],
  ['PUT', '/v1/layers/org/skills/x'],
  ['POST', '/v1/quarantine/qua_x'],
  ['POST', '/v1/sessions/ses_00000000000000000000000000/hooks/Stop'],
] as const;

const DEEP = `${'{"not":'.repeat(3_000)}1${'}'.repeat(3_000)}`;

const BODIES: readonly (readonly [string, string | Uint8Array, readonly string[]])[] = [
  ['nothing', '', ['body_not_json']],
  ['no JSON', 'skill=x', ['body_not_json']],
  ['half of JSON', '{"skill":', ['body_not_json']],
  ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), ['body_not_json']],
  ['a list', '[]', ['bad_request']],
  ['null', 'null', ['bad_request']],
  ['a number', '7', ['bad_request']],
  ['unknown members', '{"__proto__":{},"constructor":1,"nonsense":true}', ['bad_request']],
  ['wrong types', '{"skill":7,"layer":[],"digests":"x","action":{}}', ['bad_request']],
  ['200 KB of brackets', '['.repeat(200_000), ['body_not_json', 'bad_request']],
  [
    'JSON of 3,000 levels where any is taken',
    `{"skill":"x","resultSchema":${DEEP},"tool":"x","input":${DEEP},"toolInput":${DEEP},"models":${DEEP}}`,
    ['bad_request'],
  ],
  ['10 MB', new Uint8Array(10 * 1024 * 1024).fill(0x20), ['body_too_large']],
];

describe.each(JSON_ROUTES)('%s %s', (method, path) => {
  it.each(BODIES)('with %s is a clear problem', async (_name, body, codes) => {
    const response = await call(method, path, { token, body });
    expect(response.headers.get('Content-Type')).toBe('application/problem+json');
    const problem: Record<string, unknown> = await response.json();
    expect(codes).toContain(problem['code']);
    expect(problem['status']).toBe(response.status);
    expect(response.status).toBeLessThan(500);
    for (const member of ['type', 'title', 'detail', 'hint', 'requestId'])
      expect(problem[member]).toBeTypeOf('string');
  });
});

describe('names of skills', () => {
  it.each([
    ['', 'skill_invalid_name', 1],
    ['   ', 'skill_invalid_name', 1],
    ['/', 'skill_invalid_name', 1],
    [' / ', 'skill_invalid_name', 1],
    ['nope', 'skill_unknown', 2],
    ['//x', 'skill_unknown', 2],
    ['../x', 'skill_unknown', 2],
    ['x\u0000', 'skill_unknown', 2],
    ['\ud800', 'skill_unknown', 2],
    ['a'.repeat(2_000), 'skill_unknown', 2],
    ['user:bob/x', 'skill_unknown', 2],
  ])('%j', async (skill, code, errorCode) => {
    for (const path of ['/v1/invoke', '/v1/decisions', '/v1/runs']) {
      const response = await call('POST', path, { token, body: { skill } });
      expect(await response.json()).toMatchObject({ code, errorCode });
    }
  });

  it('may have one leading slash and spaces around them', async () => {
    expect(
      await (await call('POST', '/v1/invoke', { token, body: { skill: '  /x ' } })).json(),
    ).toMatchObject({ status: 'inline' });
  });
});

describe('what an invocation is told of its caller', () => {
  it.each([
    [{ agent: '' }, {}, 'agent'],
    [{ baseDirectory: '' }, {}, 'baseDirectory'],
    [{ projectDirectory: '' }, {}, 'projectDirectory'],
    [{ plugin: { root: '' } }, {}, 'plugin.root'],
    [{}, { 'Idempotency-Key': '' }, 'Idempotency-Key'],
    [{}, { 'Idempotency-Key': 'k'.repeat(201) }, 'Idempotency-Key'],
  ])('is not empty, and no longer than it may be: %j %j', async (more, headers, at) => {
    for (const [path, outputs] of [
      ['/v1/invoke', {}],
      ['/v1/invoke/inv_x/shell', { outputs: [] }],
      ['/v1/runs', {}],
    ] as const) {
      const body = { skill: 'x', ...outputs, ...more };
      const response = await call('POST', path, { token, body, headers });
      expect(await response.json()).toMatchObject({ code: 'bad_request', at });
    }
  });

  it('is no session that cannot be one', async () => {
    for (const path of ['/v1/invoke', '/v1/decisions', '/v1/runs']) {
      const response = await call('POST', path, { token, body: { skill: 'x', session: 'ses_ABC' } });
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'session_unknown' }]);
    }
  });
});

describe('paths', () => {
  it.each(['/', '/v1', '/v1/nope', '/v1/listing/x', '/v1/skills/x/nope', '/v1/skills//body', '/favicon.ico'])(
    '%s is a problem, not a page',
    async (path) => {
      const response = await call('GET', path, { token });
      expect([response.status, response.headers.get('Content-Type')]).toEqual([
        404,
        'application/problem+json',
      ]);
    },
  );

  it('GET /healthz needs no token', async () => {
    expect(await (await call('GET', '/healthz')).json()).toEqual({ status: 'ok' });
  });
});
