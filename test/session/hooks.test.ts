import { beforeEach, describe, expect, it } from 'vitest';
import type { Hooks } from '../../src/format/fields/hook-schema.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { command, HookClient } from './hook-client.ts';
import { SessionClient } from './support.ts';

let organisation = '';
let token = '';
let hooks = new HookClient('', new SessionClient('', '', ''));

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await push(
    token,
    'org',
    treeOf({ 'guard/SKILL.md': skillText('guard'), 'other/SKILL.md': skillText('other') }),
  );
  hooks = new HookClient(organisation, await SessionClient.begin(organisation, token));
});

const GUARD: Hooks = {
  PreToolUse: [
    { matcher: 'Bash', hooks: [command('check'), command('log', { async: true })] },
    { matcher: 'Edit|Write', hooks: [command('format')] },
    { hooks: [{ type: 'prompt', prompt: 'Is this wise?', model: 'small' }] },
  ],
  SessionStart: [{ matcher: 'resume', hooks: [command('hello')] }],
  Stop: [{ matcher: 'ignored', hooks: [{ type: 'mcp_tool', server: 'desk', tool: 'say', input: { a: 1 } }] }],
};

const BASH = { toolName: 'Bash', toolInput: { command: 'ls' } };
const names = (fired: Record<string, unknown>[]) =>
  fired.map(({ action }) => Object(action).command ?? Object(action).type);

describe('hooks of a skill', () => {
  it('fire for what their matchers mean, in order, and the host gets all that it needs', async () => {
    expect(
      await hooks.invoked(GUARD, { pluginRoot: '/plugins/guard', skillDirectory: '/skills/guard' }),
    ).toMatchObject({ hooks: { registered: 6, refused: 0 } });
    const { body } = await hooks.fire('PreToolUse', BASH);
    expect(body).toMatchObject({
      event: 'PreToolUse',
      agent: 'main',
      problems: [],
      decision: 'none',
      reason: null,
    });
    expect(body['fired']).toEqual([
      {
        hook: 'hook_1',
        skill: 'guard',
        layer: 'org',
        type: 'command',
        once: false,
        run: 'host',
        reason: null,
        action: { type: 'command', command: 'check' },
        environment: { CLAUDE_PLUGIN_ROOT: '/plugins/guard', CLAUDE_SKILL_DIR: '/skills/guard' },
      },
      expect.objectContaining({ hook: 'hook_2', action: { type: 'command', command: 'log', async: true } }),
      expect.objectContaining({
        hook: 'hook_4',
        type: 'prompt',
        action: { type: 'prompt', prompt: 'Is this wise?', model: 'small' },
      }),
    ]);
    expect(names(await hooks.fired('PreToolUse', { toolName: 'Write' }))).toEqual(['format', 'prompt']);
    expect(names(await hooks.fired('PreToolUse', { toolName: 'MultiEdit' }))).toEqual(['prompt']);
    expect(names(await hooks.fired('SessionStart', { value: 'resume' }))).toEqual(['hello']);
    expect(await hooks.fired('SessionStart', { value: 'startup' })).toEqual([]);
    expect(await hooks.fired('SessionStart')).toEqual([]);
    expect(await hooks.fired('Stop')).toMatchObject([
      { type: 'mcp_tool', run: 'host', action: { server: 'desk', tool: 'say', input: { a: 1 } } },
    ]);
    expect(await hooks.fired('PostToolUse', BASH)).toEqual([]);
  });

  it('come and go in an object that remembers having had none', async () => {
    hooks.evicts = false;
    const none = { registered: 0, refused: 0 };
    expect(await hooks.invoked(null)).toMatchObject({ alreadyLoaded: false, hooks: none });
    expect(await hooks.invoked(null)).toMatchObject({ alreadyLoaded: true, hooks: none });
    expect(await hooks.invoked(GUARD)).toMatchObject({ alreadyLoaded: true, hooks: { registered: 6 } });
    expect(await hooks.invoked(null)).toMatchObject({ alreadyLoaded: true, hooks: none });
    expect(await hooks.registered()).toEqual([]);
  });

  it('are shown with the session', async () => {
    await hooks.invoked({ Stop: GUARD['Stop'] ?? [] });
    await hooks.invoked(
      { PreToolUse: [{ matcher: 'Bash', hooks: [command('x', { once: true })] }] },
      { agent: 'b' },
    );
    expect(await hooks.registered()).toEqual([
      {
        hook: 'hook_1',
        event: 'Stop',
        matcher: 'ignored',
        type: 'mcp_tool',
        once: false,
        skill: 'guard',
        layer: 'org',
      },
    ]);
    expect(await hooks.registered('b')).toMatchObject([{ hook: 'hook_2', once: true, matcher: 'Bash' }]);
  });

  it('belong to the agent that invoked the skill', async () => {
    await hooks.invoked(GUARD, { agent: 'a' });
    expect(await hooks.fired('Stop', { agent: 'a' })).toHaveLength(1);
    expect(await hooks.fired('Stop', { agent: 'b' })).toEqual([]);
    expect(await hooks.fired('Stop')).toEqual([]);
  });

  it('are replaced when their skill is invoked again, and those of others stay', async () => {
    const stop = (text: string): Hooks => ({ Stop: [{ hooks: [command(text)] }] });
    await hooks.invoked(stop('one'));
    await hooks.invoked(stop('other'), { skill: 'other' });
    await hooks.invoked(stop('two'));
    expect(names(await hooks.fired('Stop'))).toEqual(['other', 'two']);
    await hooks.invoked(null);
    expect(names(await hooks.fired('Stop'))).toEqual(['other']);
  });

  it('outlive compactions', async () => {
    await hooks.invoked(GUARD, { persist: false });
    await hooks.session.list();
    await hooks.session.compact();
    expect(await hooks.fired('Stop')).toHaveLength(1);
    expect(await hooks.registered()).toHaveLength(6);
  });

  it('end with the session', async () => {
    await hooks.invoked(GUARD);
    await hooks.session.call('DELETE', '');
    expect(await hooks.fire('Stop')).toMatchObject({ status: 404, body: { code: 'session_unknown' } });
  });

  it('are not registered for catalogs that the session left', async () => {
    expect(await hooks.invoked(GUARD, { generation: 7 })).toMatchObject({
      stale: true,
      hooks: { registered: 0 },
    });
    expect(await hooks.fired('Stop')).toEqual([]);
  });

  it.each([
    ['org', 'community'],
    ['plugin:x', 'community'],
    ['mcp:desk', 'community'],
    ['mcp:desk', 'trusted'],
  ] as const)('are not registered for strangers: %s, %s', async (layer, trust) => {
    expect(await hooks.invoked(GUARD, { layer, trust })).toMatchObject({
      hooks: { registered: 0, refused: 6 },
    });
    expect(await hooks.registered()).toEqual([]);
  });

  it('go when the skill is a stranger’s by now', async () => {
    await hooks.invoked(GUARD);
    await hooks.invoked(GUARD, { trust: 'community' });
    expect(await hooks.fired('Stop')).toEqual([]);
  });

  it('are so many and no more, and the first ones stay', async () => {
    const many: Hooks = { Stop: [{ hooks: Array.from({ length: 70 }, (_, at) => command(`c${at}`)) }] };
    expect(await hooks.invoked(many)).toMatchObject({ hooks: { registered: 64, refused: 6 } });
    for (let skill = 1; skill < 8; skill += 1)
      expect(await hooks.invoked(many, { skill: `s${skill}` })).toMatchObject({ hooks: { registered: 64 } });
    expect(await hooks.invoked(many, { skill: 's8' })).toMatchObject({
      hooks: { registered: 0, refused: 70 },
    });
    expect(await hooks.invoked(many, { skill: 's7' })).toMatchObject({ hooks: { registered: 64 } });
    expect(await hooks.fired('Stop')).toHaveLength(512);
  });
});

describe('once', () => {
  const ONCE: Hooks = { Stop: [{ hooks: [command('first', { once: true }), command('always')] }] };

  it('is over after a success that the host tells of, and not before', async () => {
    await hooks.invoked(ONCE);
    expect(names(await hooks.fired('Stop'))).toEqual(['first', 'always']);
    const tell = (hook: string, ok: boolean, more = {}) => ({ ...more, results: [{ hook, ok }] });
    expect(names(await hooks.fired('Stop', tell('hook_1', false)))).toEqual(['first', 'always']);
    expect(names(await hooks.fired('Stop', tell('hook_1', true, { agent: 'other' })))).toEqual([]);
    expect(names(await hooks.fired('Stop', tell('hook_7', true)))).toEqual(['first', 'always']);
    expect(names(await hooks.fired('Stop', tell('hook_2', true)))).toEqual(['first', 'always']);
    expect(names(await hooks.fired('Stop', tell('hook_1', true)))).toEqual(['always']);
    expect(names(await hooks.fired('Stop'))).toEqual(['always']);
  });

  it('is not back after an invocation that was merely repeated, and is after a new one', async () => {
    await hooks.invoked(ONCE, { idempotencyKey: 'k' });
    await hooks.fire('Stop', { results: [{ hook: 'hook_1', ok: true }] });
    expect(await hooks.invoked(ONCE, { idempotencyKey: 'k' })).toMatchObject({ hooks: { registered: 1 } });
    expect(names(await hooks.fired('Stop'))).toEqual(['always']);
    await hooks.invoked(ONCE, { idempotencyKey: 'l' });
    expect(names(await hooks.fired('Stop'))).toEqual(['first', 'always']);
  });

  it('is not ended by a late word about a hook that was replaced', async () => {
    await hooks.invoked(ONCE);
    await hooks.invoked(ONCE);
    expect(names(await hooks.fired('Stop', { results: [{ hook: 'hook_1', ok: true }] }))).toEqual([
      'first',
      'always',
    ]);
  });
});

describe('what cannot be read', () => {
  it('is told, and the others fire', async () => {
    await hooks.invoked({
      PreToolUse: [
        { matcher: '(Bash', hooks: [command('broken')] },
        { matcher: '(a+)+$|Ba.h', hooks: [command('pattern')] },
        { matcher: 'Bash', hooks: [command('rule', { if: 'Bash(git' }), command('good')] },
      ],
    });
    const { body } = await hooks.fire('PreToolUse', BASH);
    expect(body['problems']).toMatchObject([
      { hook: 'hook_1', skill: 'guard', at: 'matcher', detail: expect.stringContaining('(Bash') },
      { hook: 'hook_3', skill: 'guard', at: 'if', detail: expect.stringContaining('parenthesis') },
    ]);
    expect(names(await hooks.fired('PreToolUse', BASH))).toEqual(['pattern', 'good']);
  });

  it.each([
    ['git push', true],
    ['cd x && git push', true],
    ['echo hi | git hash-object -w --stdin', true],
    ['$(which git) push', true],
    ['ls', false],
    ['gitk', false],
  ])('`if` is a rule that speaks for any part of a command: %s', async (text, fires) => {
    await hooks.invoked({ PreToolUse: [{ hooks: [command('x', { if: 'Bash(git *)' })] }] });
    const fired = await hooks.fired('PreToolUse', { toolName: 'Bash', toolInput: { command: text } });
    expect(fired).toHaveLength(fires ? 1 : 0);
    expect(await hooks.fired('PreToolUse', { toolName: 'Read', toolInput: { file_path: text } })).toEqual([]);
  });

  it('`if` has no meaning where there is no tool', async () => {
    await hooks.invoked({ Stop: [{ hooks: [command('x', { if: 'Bash' })] }] });
    expect((await hooks.fire('Stop')).body).toMatchObject({ fired: [], problems: [{ at: 'if' }] });
  });
});

describe('an event', () => {
  it('has the same answer again by its key, which stands for one request', async () => {
    await hooks.invoked(GUARD);
    const first = await hooks.fire('Stop', {}, 'same');
    await hooks.invoked(null);
    expect(await hooks.fire('Stop', {}, 'same')).toEqual(first);
    expect(await hooks.fired('Stop')).toEqual([]);
    for (const [event, body] of [
      ['SessionEnd', {}],
      ['Stop', { input: { x: 1 } }],
      ['Stop', { agent: 'other' }],
    ] as const)
      expect(await hooks.fire(event, body, 'same')).toMatchObject({
        status: 409,
        body: { code: 'session_conflict' },
      });
  });

  it.each([
    ['Nonsense', {}, 'event'],
    ['constructor', {}, 'event'],
    ['PreToolUse', {}, 'toolName'],
    ['Stop', BASH, 'toolName'],
    ['Stop', { value: 'x'.repeat(257) }, 'value'],
    ['Stop', { results: [{ hook: 'hook_1' }] }, 'results.0.ok'],
    ['PreToolUse', { toolName: 'Bash', toolInput: 7 }, 'toolInput'],
  ])('is refused where it makes no sense: %s %j', async (event, body, at) => {
    expect(await hooks.fire(event, body)).toMatchObject({ status: 400, body: { code: 'bad_request', at } });
  });

  it('needs a key, and a token that may use skills', async () => {
    expect(await hooks.session.call('POST', '/hooks/Stop', { body: {} })).toMatchObject({
      status: 400,
      body: { at: 'Idempotency-Key' },
    });
    const headers = { 'Idempotency-Key': 'k' };
    const reader = await tokenFor(organisation, { scopes: ['skills:read'] });
    const stranger = await tokenFor(newOrganisation());
    const bound = await tokenFor(organisation, { layers: ['user:bob'] });
    for (const [other, status] of [
      [reader, 403],
      [stranger, 404],
      [bound, 404],
    ] as const)
      expect(
        (await hooks.session.call('POST', '/hooks/Stop', { body: {}, headers, token: other })).status,
      ).toBe(status);
  });

  it.each([
    [{ hooks: { command: 'off' } }, 'the organisation has switched off hooks that are commands'],
    [{ states: { guard: 'off' } }, 'the skill is switched off'],
    [{ permissions: { deny: ['Skill(guard)'] } }, expect.stringContaining('Skill(guard)')],
    [{ permissions: { deny: ['Bash(curl *)'] } }, expect.stringContaining('Bash(curl *)')],
  ])('obeys the settings of now: %j', async (body, reason) => {
    await hooks.invoked({ Stop: [{ hooks: [command('curl https://example.org')] }] });
    expect(await hooks.fired('Stop')).toMatchObject([{ run: 'host' }]);
    expect((await call('PUT', '/v1/settings', { token, body })).status).toBe(200);
    expect(await hooks.fired('Stop')).toMatchObject([{ run: 'off', reason }]);
  });
});
