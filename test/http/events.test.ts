import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { EVENT_LIMITS } from '../../src/core/limits.ts';
import { app } from '../../src/http/app.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { SessionClient } from '../session/support.ts';
import { call, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';

const TREE = {
  'plain/SKILL.md': skillText('plain', '', 'Do it.\n'),
  'release/SKILL.md': skillText('release', 'allowed-tools: Bash(git log:*)\n'),
  'shell/SKILL.md': skillText('shell', '', 'Look: !`git status`\n'),
  'people/SKILL.md': skillText('people', 'disable-model-invocation: true\n'),
  'fork/SKILL.md': skillText('fork', 'context: fork\n', '```bash\necho x\n```\n'),
  'lint/SKILL.md': skillText('lint', 'paths: ["src/**/*.ts"]\n'),
};

type Line = Readonly<Record<string, unknown>>;
let lines: Line[] = [];
/** Runs end when they do, sooner or later than what is looked at. */
let ends: Line[] = [];
beforeEach(() => {
  lines = [];
  ends = [];
  vi.spyOn(console, 'log').mockImplementation((line) => {
    const event: Line = JSON.parse(String(line));
    (event['event'] === 'run_ended' ? ends : lines).push(event);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

let organisation = '';
let token = '';
let session: SessionClient;
beforeAll(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await push(token, 'org', treeOf(TREE));
  await settle(organisation);
});
beforeEach(async () => {
  session = await SessionClient.begin(organisation, token);
});

const post = (path: string, body: unknown, headers: Record<string, string> = {}, as = token) =>
  call('POST', path, { token: as, body, headers });

const USED = { layer: 'org', revision: expect.stringMatching(/^sha256:/), code: null, run: null };
const NOT_FOUND = { layer: null, revision: null, context: null, outcome: 'refused', tokens: 0 };

/** Every way to use a skill, by its route: what is called, and what its only event says. */
const ACTIVATIONS: readonly (readonly [
  name: string,
  route: string,
  request: () => Promise<unknown>,
  event: Line,
])[] = [
  [
    'inline, by a model',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'plain', args: 'ARGUMENT' }),
    { ...USED, skill: 'plain', trigger: 'model', context: 'inline', outcome: 'activated', agent: 'main' },
  ],
  [
    'inline, by a person with a slash, in a session',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: ' /people', trigger: 'user', session: session.id, agent: 'coder' }),
    { ...USED, skill: 'people', trigger: 'user', agent: 'coder', session: true, slash: true },
  ],
  ...['nested', 'path', 'search'].map(
    (trigger) =>
      [
        `inline, by ${trigger}`,
        'POST /v1/invoke',
        () => post('/v1/invoke', { skill: 'org/plain', trigger }),
        { ...USED, skill: 'plain', trigger, outcome: 'activated', session: false, slash: false },
      ] as const,
  ),
  [
    'a question',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'release' }),
    { ...USED, skill: 'release', context: 'inline', outcome: 'asked', tokens: 0 },
  ],
  [
    'a denial',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'people', trigger: 'nested' }),
    {
      ...USED,
      skill: 'people',
      trigger: 'nested',
      context: 'inline',
      outcome: 'denied',
      code: 'skill_model_invocation_disabled',
      tokens: 0,
    },
  ],
  [
    'an unknown skill, without what stands behind its name',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: '/nope ARGUMENT' }),
    { ...NOT_FOUND, skill: 'nope', code: 'skill_unknown', slash: true },
  ],
  [
    'no name',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: ' / ' }),
    { ...NOT_FOUND, skill: '', code: 'skill_invalid_name' },
  ],
  [
    'an approval that nobody gave',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'release', approvalId: 'apr_none' }),
    { ...USED, skill: 'release', outcome: 'refused', code: 'approval_unknown' },
  ],
  [
    'a skill with a context of its own',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'fork' }),
    { ...USED, skill: 'fork', context: 'fork', outcome: 'activated', run: expect.stringMatching(/^run_/) },
  ],
  [
    'a token that may start no runs',
    'POST /v1/invoke',
    async () => {
      const scopes = ['skills:read', 'skills:invoke'] as const;
      await post('/v1/invoke', { skill: 'fork' }, {}, await tokenFor(organisation, { scopes: [...scopes] }));
    },
    { ...USED, skill: 'fork', context: 'fork', outcome: 'refused', code: 'forbidden' },
  ],
  [
    'any skill, apart',
    'POST /v1/runs',
    () => post('/v1/runs', { skill: 'plain', trigger: 'user' }, { Prefer: 'wait=1' }),
    {
      ...USED,
      skill: 'plain',
      trigger: 'user',
      context: 'fork',
      outcome: 'activated',
      run: expect.stringMatching(/^run_/),
      tokens: 0,
    },
  ],
  [
    'a question before a run',
    'POST /v1/runs',
    () => post('/v1/runs', { skill: 'release' }),
    { ...USED, skill: 'release', context: 'fork', outcome: 'asked' },
  ],
  [
    'a run of an unknown skill',
    'POST /v1/runs',
    () => post('/v1/runs', { skill: 'nope' }),
    { ...NOT_FOUND, skill: 'nope', context: 'fork', code: 'skill_unknown' },
  ],
  [
    'a run that cannot start',
    'POST /v1/runs',
    () => post('/v1/runs', { skill: 'plain', files: [{ path: '../x', text: '' }] }),
    { ...USED, skill: 'plain', context: 'fork', outcome: 'refused', code: 'bad_request' },
  ],
  [
    'a command that may not run',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'shell', shell: 'sandbox' }),
    { ...USED, skill: 'shell', outcome: 'denied', code: 'shell_command_refused', tokens: 0 },
  ],
  [
    'commands that the host has to run',
    'POST /v1/invoke',
    () => post('/v1/invoke', { skill: 'shell', shell: 'client' }),
    { ...USED, skill: 'shell', context: 'inline', outcome: 'waiting', tokens: 0 },
  ],
  [
    'the outputs of commands',
    'POST /v1/invoke/:id/shell',
    async () => {
      const body = { skill: 'shell', shell: 'client' };
      const asked: { id: string; commands: { id: string }[] } = await (await post('/v1/invoke', body)).json();
      lines = [];
      const outputs = asked.commands.map(({ id }) => ({ id, exitCode: 0, stdout: 'clean' }));
      return post(`/v1/invoke/${asked.id}/shell`, { skill: 'shell', outputs });
    },
    { ...USED, skill: 'shell', context: 'inline', outcome: 'activated' },
  ],
  [
    'a touched path',
    'POST /v1/sessions/:id/paths',
    () => session.call('POST', '/paths', { body: { agent: 'coder', paths: ['src/PATH.ts'] } }),
    {
      ...USED,
      skill: 'lint',
      trigger: 'path',
      context: 'listing',
      outcome: 'activated',
      agent: 'coder',
      tokens: 0,
      session: true,
    },
  ],
];

/** Routes that take skills into use: each has to have rows above. A new route belongs here, or below. */
const ACTIVATING = new Set([
  'POST /v1/invoke',
  'POST /v1/invoke/:id/shell',
  'POST /v1/runs',
  'POST /v1/sessions/:id/paths',
]);
const OTHERS = new Set([
  'POST /v1/approvals/:id',
  'POST /v1/decisions',
  'POST /v1/decisions/simulate',
  'POST /v1/detect',
  'POST /v1/mentions',
  'DELETE /v1/layers/:layer/skills/:name',
  'POST /v1/push/head',
  'POST /v1/push/missing',
  'POST /v1/quarantine/:id',
  'PUT /v1/layers/:layer/skills/:name',
  'PUT /v1/push/blobs',
  'PUT /v1/policy',
  'PUT /v1/settings',
  'PUT /v1/secrets/:name',
  'DELETE /v1/secrets/:name',
  'POST /v1/runs/:id/cancel',
  'POST /v1/runs/:id/approvals',
  'POST /v1/runs/:id/tool-results',
  'POST /v1/sessions',
  'DELETE /v1/sessions/:id',
  'POST /v1/sessions/:id/compact',
  'POST /v1/sessions/:id/hooks/:event',
  'POST /v1/sessions/:id/host',
  'POST /v1/sessions/:id/rules',
  'POST /v1/sessions/:id/listing',
]);

it('the end of a run is one event', async () => {
  const answer = await post('/v1/runs', { skill: 'fork' }, { Prefer: 'wait=20' });
  const { id } = await answer.json<{ id: string }>();
  const own = ends.filter(({ run }) => run === id);
  expect(own).toHaveLength(1);
  expect(own[0]).toMatchObject({ skill: 'fork', engine: 'runbook', organisation, nested: false, turns: 2 });
});

describe('a use of a skill is one event', () => {
  it.each(ACTIVATIONS)('%s', async (_name, _route, request, event) => {
    await request();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ event: 'skill_activated', organisation, ...event });
    expect(JSON.stringify(lines)).not.toMatch(/ARGUMENT|PATH|Do it/);
  });

  it('on every route that changes anything', () => {
    const routes = app.routes.filter(({ method }) => !['GET', 'ALL'].includes(method));
    const known = new Set([...ACTIVATING, ...OTHERS]);
    expect(
      routes.map(({ method, path }) => `${method} ${path}`).filter((route) => !known.has(route)),
    ).toEqual([]);
    expect(new Set(ACTIVATIONS.map(([, route]) => route))).toEqual(ACTIVATING);
  });

  it('with an estimate of what the conversation got', async () => {
    await post('/v1/invoke', { skill: 'plain' });
    await post('/v1/invoke', { skill: 'plain', args: 'ä'.repeat(4_000) });
    const [short = 0, long = 0] = lines.map(({ tokens }) => Number(tokens));
    expect(short).toBeGreaterThan(10);
    expect(long - short).toBeGreaterThan(2_000);
  });

  it('once for a path, and for each request of one run', async () => {
    const touch = (headers = {}) =>
      session.call('POST', '/paths', { body: { paths: ['src/a.ts'] }, headers });
    const key = { 'Idempotency-Key': 'same' };
    await touch(key);
    await touch(key);
    await touch();
    expect(lines.map(({ skill }) => skill)).toEqual(['lint']);
    await post('/v1/runs', { skill: 'fork' }, key);
    await post('/v1/runs', { skill: 'fork' }, key);
    expect(lines[1]?.['run']).toBe(lines[2]?.['run']);
  });

  it('for no more skills that one call wakes than it may write', async () => {
    const admin = await tokenFor(newOrganisation());
    const names = ['a', 'b', 'c'];
    const tree = names.map((name) => [`${name}/SKILL.md`, skillText(name, 'paths: ["src/*.ts"]\n')]);
    await push(admin, 'org', treeOf(Object.fromEntries(tree)));
    const { id } = await (await post('/v1/sessions', {}, {}, admin)).json<{ id: string }>();
    const usual = { ...EVENT_LIMITS };
    Object.assign(EVENT_LIMITS, { activatedAtOnce: 2 });
    const answer = await post(`/v1/sessions/${id}/paths`, { paths: ['src/a.ts'] }, {}, admin);
    Object.assign(EVENT_LIMITS, usual);
    expect((await answer.json<{ activated: unknown[] }>()).activated).toHaveLength(3);
    expect(lines.map(({ skill }) => skill)).toEqual(['a', 'b']);
    expect(EVENT_LIMITS.activatedAtOnce).toBeLessThan(250 - 2);
  });

  it('is told of a deployment that fails', async () => {
    const broken = { ...env, RUN: { getByName: () => ({ start: () => Promise.reject(new Error('gone')) }) } };
    // @ts-expect-error -- as much of a namespace as a run that does not start needs
    const failing: Env = broken;
    const answer = await call('POST', '/v1/runs', { token, body: { skill: 'fork' }, env: failing });
    expect(answer.status).toBe(503);
    expect(lines).toMatchObject([{ outcome: 'failed', code: 'storage_unavailable', skill: 'fork' }]);
  });

  it('goes to Analytics Engine where that is bound, and not into the log', async () => {
    const points: AnalyticsEngineDataPoint[] = [];
    const EVENTS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) };
    const bound = { ...env, EVENTS };
    await call('POST', '/v1/invoke', { token, body: { skill: 'plain' }, env: bound });
    expect(lines).toEqual([]);
    expect(points).toMatchObject([{ indexes: [organisation] }]);
    expect(points[0]?.blobs?.slice(0, 3)).toEqual(['skill_activated', organisation, 'plain']);
  });
});

describe('a listing is an event where it had too little room', () => {
  it('and was really fitted', async () => {
    const list = (query: string) => call('GET', `/v1/listing?${query}`, { token });
    await list('context_window=1000000');
    expect(lines).toEqual([]);
    await list('budget=60&agent=coder&query=QUERY');
    await list('budget=60&agent=coder&query=QUERY');
    expect(lines).toMatchObject([
      {
        event: 'listing_fitted',
        profile: 'skilledge',
        unit: 'characters',
        budget: 60,
        agent: 'coder',
        session: false,
      },
    ]);
    const { used, full, shortened, nameOnly, omitted, mode } = lines[0] ?? {};
    expect(Number(used)).toBeLessThanOrEqual(60);
    expect([full, shortened, nameOnly, omitted].map(Number).reduce((sum, count) => sum + count)).toBe(4);
    expect(mode).toBe('nameOnly');
    expect(JSON.stringify(lines)).not.toContain('QUERY');
  });

  it('in a session, once for one answer', async () => {
    await session.list('?budget=60&agent=coder');
    await session.list('?budget=60&agent=coder&after=0');
    expect(lines).toMatchObject([{ event: 'listing_fitted', session: true, agent: 'coder' }]);
  });
});

it('skills that change within a session are an event when an agent is told of them', async () => {
  const own = newOrganisation();
  const admin = await tokenFor(own);
  await push(admin, 'org', treeOf(TREE));
  const other = await SessionClient.begin(own, admin);
  await other.list('?budget=1000');
  await other.list('?budget=1000');
  expect(lines).toEqual([]);
  await other.call('POST', '/paths', { body: { paths: ['src/a.ts'] } });
  await other.list('?budget=1000');
  const { 'plain/SKILL.md': _, ...rest } = TREE;
  await push(admin, 'org', treeOf({ ...rest, 'new/SKILL.md': skillText('new') }));
  await other.list('?budget=1000&refresh=1');
  const none = { agent: 'main', added: 0, changed: 0, gone: 0 };
  expect(lines).toMatchObject([
    { event: 'skill_activated', trigger: 'path' },
    { event: 'skills_changed', ...none, added: 1, refreshed: false },
    { event: 'skills_changed', ...none, added: 1, gone: 1, refreshed: true },
  ]);
});

it('a search is an event, in numbers', async () => {
  await call('GET', '/v1/skills/search?q=does+plain+QUERY&agent=coder', { token });
  expect(lines).toMatchObject([{ event: 'skills_searched', agent: 'coder', results: 1 }]);
  expect(lines[0]?.['terms']).toBeGreaterThan(0);
  expect(JSON.stringify(lines)).not.toContain('QUERY');
});

it('an organisation that masks names has none in any event', async () => {
  const own = newOrganisation();
  const admin = await tokenFor(own);
  const tree = {
    'mark-plain/SKILL.md': skillText('mark-plain'),
    'mark-fork/SKILL.md': skillText('mark-fork', 'context: fork\n', '```bash\necho x\n```\n'),
    'mark-lint/SKILL.md': skillText('mark-lint', 'paths: ["src/**/*.ts"]\n'),
  };
  await push(admin, 'user:mark-user', treeOf(tree));
  await settle(own);
  await call('PUT', '/v1/settings', { token: admin, body: { events: { names: 'masked' } } });
  const scope = 'scope=user:mark-user';
  const other = await SessionClient.begin(own, admin, { scope: 'user:mark-user' });
  const asked = { agent: 'mark-agent', args: 'mark', session: 'mark-session' };
  for (const skill of ['mark-plain', 'mark-fork', 'mark-unknown'])
    await post(`/v1/invoke?${scope}`, { ...asked, skill }, {}, admin);
  await post(`/v1/runs?${scope}`, { ...asked, skill: 'mark-plain' }, { 'Idempotency-Key': 'mark' }, admin);
  await call('GET', `/v1/listing?${scope}&budget=30&agent=mark-agent&query=mark`, { token: admin });
  await call('GET', `/v1/skills/search?${scope}&q=mark&agent=mark-agent`, { token: admin });
  await other.list('?agent=mark-agent');
  await other.call('POST', '/paths', { body: { agent: 'mark-agent', paths: ['src/mark.ts'] } });
  await other.list('?agent=mark-agent');
  await expect
    .poll(() => new Set([...lines, ...ends].map(({ event }) => event)))
    .toEqual(
      new Set(['skill_activated', 'listing_fitted', 'skills_searched', 'skills_changed', 'run_ended']),
    );
  expect(JSON.stringify([lines, ends])).not.toMatch(/mark|sha256/);
  const usage = await call('GET', `/v1/usage?${scope}`, { token: admin });
  expect(await usage.text()).toContain('mark-plain');
});
