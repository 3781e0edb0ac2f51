import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HookAction, Hooks } from '../../src/format/fields/hook-schema.ts';
import { realWorld } from '../../src/sandbox/run-hook.ts';
import { SessionObject } from '../../src/session/session-object.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { command, HookClient } from './hook-client.ts';
import { SessionClient } from './support.ts';

interface Seen {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

let token = '';
let hooks = new HookClient('', new SessionClient('', '', ''));
let seen: Seen[] = [];
let answer: () => Response | Promise<Response> = () => new Response('');

beforeEach(async () => {
  const organisation = newOrganisation();
  token = await tokenFor(organisation);
  seen = [];
  answer = () => new Response('fine');
  SessionObject.hookWorld = {
    fetch: async (url, init) => {
      const request = new Request(url, init);
      seen.push({ url, headers: Object.fromEntries(request.headers), body: await request.json() });
      return answer();
    },
  };
  await push(token, 'org', treeOf({ 'guard/SKILL.md': skillText('guard') }));
  hooks = new HookClient(organisation, await SessionClient.begin(organisation, token));
});

afterEach(() => {
  SessionObject.hookWorld = realWorld;
});

async function settings(body: unknown): Promise<void> {
  expect((await call('PUT', '/v1/settings', { token, body })).status).toBe(200);
}

const on = (event: string, ...actions: HookAction[]): Hooks => ({ [event]: [{ hooks: actions }] });
const http = (more: object = {}): HookAction => ({ type: 'http', url: 'https://hooks.example/x', ...more });
const json = (value: unknown) => () => Response.json(value);

describe('hooks that call a server', () => {
  beforeEach(() => settings({ hooks: { http: 'run' } }));

  it('are the host’s unless the organisation wants them here', async () => {
    await settings({});
    await hooks.invoked(on('Stop', http({ headers: { 'X-Key': '$KEY' }, allowedEnvVars: ['KEY'] })));
    expect(await hooks.fired('Stop')).toMatchObject([
      {
        run: 'host',
        action: { url: 'https://hooks.example/x', headers: { 'X-Key': '$KEY' }, allowedEnvVars: ['KEY'] },
      },
    ]);
    await settings({ hooks: { http: 'off' } });
    expect(await hooks.fired('Stop')).toMatchObject([{ run: 'off' }]);
    expect(seen).toEqual([]);
  });

  it('are told what happened, and their answer is told', async () => {
    await hooks.invoked(on('PreToolUse', http({ headers: { 'X-Team': 'web' } })));
    answer = json({ systemMessage: 'hello' });
    const event = {
      toolName: 'Bash',
      toolInput: { command: 'ls' },
      input: { cwd: '/x', session_id: 'forged' },
    };
    const { body } = await hooks.fire('PreToolUse', event);
    expect(seen).toEqual([
      {
        url: 'https://hooks.example/x',
        headers: { 'content-type': 'application/json', 'x-team': 'web' },
        body: {
          cwd: '/x',
          session_id: hooks.session.id,
          agent: 'main',
          hook_event_name: 'PreToolUse',
          tool_name: 'Bash',
          tool_input: { command: 'ls' },
        },
      },
    ]);
    expect(body).toMatchObject({
      decision: 'none',
      fired: [
        {
          hook: 'hook_1',
          type: 'http',
          run: 'here',
          result: {
            outcome: 'success',
            reason: null,
            status: 200,
            text: '',
            output: { systemMessage: 'hello' },
          },
        },
      ],
    });
  });

  it('block what can be blocked', async () => {
    await hooks.invoked({ ...on('PreToolUse', http()), ...on('PostToolUse', http()) });
    answer = json({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'not on Mondays' },
    });
    expect((await hooks.fire('PreToolUse', { toolName: 'Bash' })).body).toMatchObject({
      decision: 'block',
      reason: 'not on Mondays',
      fired: [{ result: { outcome: 'block', reason: 'not on Mondays' } }],
    });
    expect((await hooks.fire('PostToolUse', { toolName: 'Bash' })).body).toMatchObject({
      decision: 'none',
      fired: [{ result: { outcome: 'block' } }],
    });
  });

  it.each([
    ['http://hooks.example/', /https/],
    ['https://127.0.0.1/', /private/],
    ['https://0x7f.1/', /private/],
    ['https://[::ffff:169.254.169.254]/latest', /private/],
    ['https://metadata.google.internal./', /private/],
    ['https://me:pw@hooks.example/', /credentials/],
  ])('go to no private place: %s', async (url, reason) => {
    await hooks.invoked(on('Stop', http({ url })));
    expect(await hooks.fired('Stop')).toMatchObject([
      { result: { outcome: 'error', reason: expect.stringMatching(reason) } },
    ]);
    expect(seen).toEqual([]);
  });

  it('go where the organisation’s rules let them, also by a redirect', async () => {
    await hooks.invoked(on('Stop', http()));
    answer = () => new Response(null, { status: 307, headers: { Location: 'https://other.example/' } });
    await settings({ hooks: { http: 'run' }, permissions: { deny: ['WebFetch(domain:other.example)'] } });
    expect(await hooks.fired('Stop')).toMatchObject([
      { result: { outcome: 'error', reason: expect.stringContaining('redirect is refused') } },
    ]);
    expect(seen).toHaveLength(1);
    await settings({ hooks: { http: 'run' }, permissions: { ask: ['WebFetch(domain:hooks.example)'] } });
    expect(await hooks.fired('Stop')).toMatchObject([{ run: 'off' }]);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['a status', () => new Response('broken', { status: 500 }), { status: 500, text: 'broken' }],
    ['too long an answer', () => new Response('x'.repeat(65_537)), { status: null }],
    [
      'no answer',
      () => Promise.reject(new TypeError('connect 10.0.0.1')),
      { reason: 'the server could not be reached' },
    ],
  ])('stop nothing when they fail: %s', async (_, given, result) => {
    await hooks.invoked(on('Stop', http({ once: true })));
    answer = given;
    const { body } = await hooks.fire('Stop');
    expect(body).toMatchObject({ decision: 'none', fired: [{ result: { outcome: 'error', ...result } }] });
    expect(await hooks.registered()).toHaveLength(1);
  });

  it('are the host’s where their headers need its environment', async () => {
    await hooks.invoked(
      on('Stop', http({ headers: { Authorization: 'Bearer ${KEY}' } }), http({ headers: { Cost: '$5' } })),
    );
    expect(await hooks.fired('Stop')).toMatchObject([
      { run: 'host', reason: 'its headers need environment variables' },
      { run: 'here' },
    ]);
  });

  it('are run so many at once', async () => {
    await hooks.invoked(
      on('Stop', ...Array.from({ length: 20 }, (_, at) => http({ url: `https://h${at}.example/` }))),
    );
    const fired = await hooks.fired('Stop');
    expect(fired.map(({ run }) => run)).toEqual([...Array(16).fill('here'), ...Array(4).fill('host')]);
    expect(seen).toHaveLength(16);
  });

  it('are over after their first success where they are to run once', async () => {
    await hooks.invoked(on('Stop', http({ once: true })));
    answer = json({ decision: 'block', reason: 'no' });
    await hooks.fire('Stop');
    answer = () => new Response('fine');
    await hooks.fire('Stop');
    expect(await hooks.registered()).toEqual([]);
    expect(await hooks.fired('Stop')).toEqual([]);
    expect(seen).toHaveLength(2);
  });
});

describe('an event whose hooks run here', () => {
  beforeEach(() => settings({ hooks: { http: 'run' } }));

  it('runs nothing again for a repeat', async () => {
    await hooks.invoked(on('Stop', http({ once: true }), http()));
    const first = await hooks.fire('Stop', {}, 'same');
    expect(await hooks.fire('Stop', {}, 'same')).toEqual(first);
    expect(seen).toHaveLength(2);
    expect(await hooks.fire('Stop', { input: { a: 1 } }, 'same')).toMatchObject({ status: 409 });
  });

  it('is joined by a repeat that comes while they run', async () => {
    await hooks.invoked(on('Stop', http()));
    const gate = { open: false };
    answer = async () => {
      while (!gate.open) await scheduler.wait(5);
      return new Response('fine');
    };
    const path = `/v1/sessions/${hooks.session.id}/hooks/Stop`;
    const post = () => call('POST', path, { token, body: {}, headers: { 'Idempotency-Key': 'same' } });
    const both = [post(), post()];
    while (seen.length === 0) await scheduler.wait(5);
    await scheduler.wait(20);
    gate.open = true;
    const [one, two] = await Promise.all(both.map(async (each) => (await each).json()));
    expect(one).toMatchObject({ fired: [{ result: { outcome: 'success' } }] });
    expect(two).toEqual(one);
    expect(seen).toHaveLength(1);
  });

  it('tells a repeat that it was interrupted, with all that is known, and runs nothing again', async () => {
    await hooks.invoked(
      on('Stop', http({ once: true }), http({ url: 'https://slow.example/', once: true }), command('host')),
    );
    let calls = 0;
    answer = async () => {
      calls += 1;
      if (calls === 1) return new Response('fine');
      for (;;) await scheduler.wait(5);
    };
    const lost = hooks.fire('Stop', {}, 'lost').catch(() => null);
    await known();
    await abortAllDurableObjects();
    expect(await lost).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    const again = await hooks.fire('Stop', {}, 'lost');
    expect(again.body['fired']).toMatchObject([
      { hook: 'hook_1', run: 'here', result: { outcome: 'success', text: 'fine' } },
      { hook: 'hook_2', run: 'here', result: { outcome: 'interrupted' } },
      { hook: 'hook_3', run: 'host', action: { command: 'host' } },
    ]);
    expect(await hooks.fire('Stop', {}, 'lost')).toEqual(again);
    expect(seen).toHaveLength(2);
    expect(await hooks.registered()).toMatchObject([{ hook: 'hook_2' }, { hook: 'hook_3' }]);
    await runInDurableObject(hooks.object, (_, { storage }) => {
      for (const table of ['firing', 'hook_result'])
        expect(storage.sql.exec(`SELECT * FROM ${table}`).toArray()).toEqual([]);
    });
  });

  it('ends with its session', async () => {
    await hooks.invoked(on('Stop', http()));
    answer = async () => {
      await runInDurableObject(hooks.object, async (object) => {
        if (object instanceof SessionObject) await object.end(null);
      });
      return new Response('fine');
    };
    expect(await hooks.fire('Stop')).toMatchObject({ status: 404, body: { code: 'session_unknown' } });
  });

  /** Waits until the first of the running hooks is noted as done. */
  async function known(): Promise<void> {
    for (;;) {
      const rows = await runInDurableObject(
        hooks.object,
        (_, { storage }) => storage.sql.exec('SELECT * FROM hook_result').toArray().length,
      );
      if (rows > 0 && seen.length === 2) return;
      await scheduler.wait(5);
    }
  }
});

describe('hooks that are commands', () => {
  beforeEach(() => settings({ hooks: { command: 'sandbox' } }));

  const result = async (text: string, more: object = {}, event = 'PreToolUse') => {
    await hooks.invoked(on(event, command(text, more)), { pluginRoot: '/plugin' });
    const tool = event === 'PreToolUse' ? { toolName: 'Bash', toolInput: { command: 'rm x' } } : {};
    return (await hooks.fire(event, tool)).body;
  };

  it('read what happened and print an answer', async () => {
    expect(await result('jq -r .tool_input.command; echo $CLAUDE_PLUGIN_ROOT')).toMatchObject({
      decision: 'none',
      fired: [
        { run: 'here', result: { outcome: 'success', status: 0, text: 'rm x\n/plugin\n', output: null } },
      ],
    });
    expect(await result(`echo '{"decision":"block","reason":"no"}'`)).toMatchObject({
      decision: 'block',
      reason: 'no',
      fired: [{ result: { output: { decision: 'block' } } }],
    });
  });

  it('block by ending with 2, and by no other code', async () => {
    expect(await result('if grep -q "rm "; then echo "do not remove" >&2; exit 2; fi')).toMatchObject({
      decision: 'block',
      reason: 'do not remove\n',
      fired: [{ result: { outcome: 'block', status: 2 } }],
    });
    expect(await result('exit 2')).toMatchObject({
      decision: 'block',
      reason: 'it ended with 2 and said nothing',
    });
    expect(await result('exit 2', {}, 'SessionEnd')).toMatchObject({
      decision: 'none',
      fired: [{ result: { outcome: 'block' } }],
    });
    expect(await result('echo oops >&2; exit 3')).toMatchObject({
      decision: 'none',
      fired: [{ result: { outcome: 'error', status: 3, reason: 'oops\n' } }],
    });
    expect(await result('no-such-command')).toMatchObject({
      decision: 'none',
      fired: [{ result: { outcome: 'error', status: 127 } }],
    });
  });

  it('get their arguments as they are', async () => {
    expect(await result('echo', { args: ['$HOME', "it's", '; exit 2'] })).toMatchObject({
      fired: [{ result: { status: 0, text: "$HOME it's ; exit 2\n" } }],
    });
  });

  it('have no network, no end of time and no room without end', async () => {
    expect(await result('curl -s https://example.org')).toMatchObject({
      decision: 'none',
      fired: [{ result: { outcome: 'error' } }],
    });
    expect(await result('while true; do :; done', { timeout: 0.05 })).toMatchObject({
      fired: [{ result: { outcome: 'error' } }],
    });
    const { fired } = await result('for i in $(seq 5000); do echo 0123456789; done');
    expect(JSON.stringify(fired).length).toBeLessThan(20_000);
    expect(await result('printf "%9000000s" x > /tmp/x')).toMatchObject({
      fired: [{ result: { outcome: 'error' } }],
    });
  });

  it('are decided by the organisation’s rules first', async () => {
    await settings({
      hooks: { command: 'sandbox' },
      permissions: { deny: ['Bash(rm *)'], ask: ['Bash(git *)'] },
    });
    expect(await result('echo x; rm -rf y')).toMatchObject({
      fired: [{ run: 'off', reason: expect.stringContaining('Bash(rm *)') }],
    });
    expect(await result('git status')).toMatchObject({
      fired: [{ run: 'off', reason: expect.stringContaining('Nobody can be asked') }],
    });
    expect(await result('echo fine')).toMatchObject({ fired: [{ run: 'here' }] });
  });

  it('are the host’s where the sandbox has no such shell, and so are prompts', async () => {
    expect(await result('Write-Host x', { shell: 'powershell' })).toMatchObject({
      fired: [{ run: 'host', reason: 'the sandbox has no PowerShell' }],
    });
    await hooks.invoked(on('Stop', { type: 'prompt', prompt: 'x' }, { type: 'agent', prompt: 'y' }));
    expect(await hooks.fired('Stop')).toMatchObject([
      { run: 'host', type: 'prompt' },
      { run: 'host', type: 'agent' },
    ]);
  });
});
