/** What runs wait for, below others too, and how they end at each of their limits: over HTTP, with a model behind it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { productionDependencies } from '../../src/run/dependencies.ts';
import { RunObject } from '../../src/run/run-object.ts';
import { runbook } from '../../src/run/runbook.ts';
import type { Model } from '../../src/model/model.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { bashCall, calls, says, scripted, used } from '../run/scripted.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const Run = z.looseObject({
  id: z.string(),
  status: z.string(),
  stopReason: z.string().nullable(),
  result: z.string().nullable(),
  requiredActions: z.array(
    z.looseObject({ id: z.string(), run: z.string(), kind: z.string(), tool: z.string(), input: z.string() }),
  ),
});
type Run = z.infer<typeof Run>;

/** A model that takes its time until this is open. */
const gate = { open: false };

/** What the last tool gave. */
const repeats = () =>
  scripted(calls(['lookup', { word: 'x' }]), ({ messages }) => {
    const last = messages.at(-1);
    return says(last?.role === 'tool' ? last.result.stdout : '');
  });
const uses = (skill: string) =>
  scripted(calls(['Skill', { skill }]), ({ messages }) => {
    const last = messages.at(-1);
    return says(last?.role === 'tool' ? last.result.stdout + last.result.stderr : '');
  });
const busy = scripted(
  ...Array.from({ length: 80 }, (_, turn) => ({
    ...calls(bashCall(`echo turn ${turn}`)),
    text: `after ${turn}`,
    usage: used(100, 10, 0.01),
  })),
);

const WHOLE = {
  file_path: 'a',
  notebook_path: 'b',
  command: 'c',
  path: 'd',
  edits: [{ old: '1', new: '2' }],
};

const MODELS: Readonly<Record<string, Model>> = {
  outer: uses('middle'),
  middle: uses('inner'),
  lookup: repeats(),
  busy,
  slow: scripted(calls(['lookup', { word: 'x' }]), async () => {
    while (!gate.open) await scheduler.wait(5);
    return says('done');
  }),
  json: scripted(says('no JSON'), says('{"n": 1}')),
  deep: uses('inner'),
  named: scripted(({ messages }) => {
    const [first] = messages;
    return calls([/ARGUMENTS: (\w+)/.exec(first?.role === 'user' ? first.text : '')?.[1] ?? '', WHOLE]);
  }),
};

let organisation = '';
let token = '';
beforeAll(async () => {
  RunObject.dependencies = (bindings) => {
    const plain = productionDependencies(bindings);
    return {
      ...plain,
      model: (start) => MODELS[start.skill.name] ?? runbook(start.steps),
    };
  };
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  const skill = (name: string, body = 'Do it.\n') => skillText(name, 'context: fork\n', body);
  await push(
    token,
    'org',
    treeOf({
      'outer/SKILL.md': skill('outer'),
      'middle/SKILL.md': skill('middle'),
      'inner/SKILL.md': skill('inner', '```bash\nrm -f secret-name; echo clean\n```\n'),
      'lookup/SKILL.md': skill('lookup'),
      'busy/SKILL.md': skill('busy'),
      'slow/SKILL.md': skill('slow'),
      'json/SKILL.md': skill('json'),
      'deep/SKILL.md': skill('deep'),
      'named/SKILL.md': skill('named'),
    }),
  );
  const local = { kind: 'openai', baseUrl: 'https://models.example.org/v1', prices: { input: 1, output: 1 } };
  const settings = {
    permissions: { ask: ['Bash(rm:*)'], allow: ['Skill(*)'] },
    models: { providers: { local }, default: 'local/small' },
  };
  expect((await call('PUT', '/v1/settings', { token, body: settings })).status).toBe(200);
});

async function start(body: object): Promise<Run> {
  const headers = { Prefer: 'wait=20' };
  const response = await call('POST', '/v1/runs', { token, body: { trigger: 'user', ...body }, headers });
  return Run.parse(await response.json());
}

async function read(id: string): Promise<Run> {
  const response = await call('GET', `/v1/runs/${id}`, { token, headers: { Prefer: 'wait=20' } });
  return Run.parse(await response.json());
}

describe('a run two below another one', () => {
  it('waits at the first one, is answered there, and the audit log has who did it', async () => {
    const run = await start({ skill: 'outer' });
    expect(run.status).toBe('requires_action');
    const [action] = run.requiredActions;
    expect(action).toMatchObject({ kind: 'approval', tool: 'Bash', reason: expect.any(String) });
    const path = `/v1/runs/${run.id}/approvals`;
    const body = { id: action?.id, action: 'approve' };
    const agent = await tokenFor(organisation, { actor: 'agent' });
    const powerless = await tokenFor(organisation, { scopes: ['skills:invoke', 'runs:start'] });
    const bound = await tokenFor(organisation, { layers: ['user:alice'] });
    const stranger = await tokenFor(newOrganisation());
    for (const [other, status] of [
      [agent, 403],
      [powerless, 403],
      [bound, 404],
      [stranger, 404],
    ] as const)
      expect((await call('POST', path, { token: other, body })).status).toBe(status);
    expect((await call('POST', path, { token, body })).status).toBe(200);
    expect((await call('POST', path, { token, body })).status).toBe(200);
    expect((await call('POST', path, { token, body: { ...body, action: 'deny' } })).status).toBe(409);
    expect(await read(run.id)).toMatchObject({ status: 'succeeded', result: 'clean\n' });
    const audit = async () => (await call('GET', '/v1/audit?limit=100', { token })).text();
    await expect.poll(audit).toContain('run_call_decided');
    const text = await audit();
    expect(text.split('"run_call_decided"')).toHaveLength(2);
    expect(text).toContain(String(action?.run));
    expect(text).not.toContain('secret-name');
  });
});

describe('a tool of the host', () => {
  it('is called by the host, whose answer is the call’s', async () => {
    const clientTools = [{ name: 'lookup', inputSchema: { type: 'object' } }];
    const run = await start({ skill: 'lookup', clientTools });
    const [action] = run.requiredActions;
    expect(action).toMatchObject({ kind: 'tool_call', tool: 'lookup', run: run.id });
    const body = { id: action?.id, output: `${'y'.repeat(50_000)}` };
    expect((await call('POST', `/v1/runs/${run.id}/tool-results`, { token, body })).status).toBe(200);
    const done = await read(run.id);
    expect(done.status).toBe('succeeded');
    expect(done.result).toMatch(/^y{32768}\n\[17232 more characters were cut; all of it can be read in /);
  });
});

/** What the list says of the organisation's newest runs, and what each of them says of itself. */
async function statuses(): Promise<{ listed: string[]; own: string[] }> {
  const page = await call('GET', '/v1/runs?limit=3', { token });
  const { runs } = z
    .object({ runs: z.array(z.object({ id: z.string(), status: z.string() })) })
    .parse(await page.json());
  const own = await Promise.all(
    runs.map(async ({ id }) => Run.parse(await (await call('GET', `/v1/runs/${id}`, { token })).json())),
  );
  return { listed: runs.map(({ status }) => status), own: own.map(({ status }) => status) };
}

describe('the list of runs', () => {
  it('says what each run says of itself: that it waits, or one below it does, and that it goes on', async () => {
    const run = await start({ skill: 'outer' });
    const waiting = ['requires_action', 'requires_action', 'requires_action'];
    await expect.poll(statuses).toEqual({ listed: waiting, own: waiting });
    const body = { id: run.requiredActions[0]?.id, action: 'approve' };
    expect((await call('POST', `/v1/runs/${run.id}/approvals`, { token, body })).status).toBe(200);
    const done = ['succeeded', 'succeeded', 'succeeded'];
    await expect.poll(statuses).toEqual({ listed: done, own: done });
  });

  it('says that a run goes on as soon as its host has answered', async () => {
    const run = await start({
      skill: 'slow',
      clientTools: [{ name: 'lookup', inputSchema: { type: 'object' } }],
    });
    const first = async () => (await statuses()).listed[0];
    await expect.poll(first).toBe('requires_action');
    const body = { id: run.requiredActions[0]?.id, output: 'here' };
    expect((await call('POST', `/v1/runs/${run.id}/tool-results`, { token, body })).status).toBe(200);
    await expect.poll(first).toBe('running');
    gate.open = true;
    await expect.poll(first).toBe('succeeded');
  });
});

describe('a tool of the host that is named like one of other places', () => {
  it.each(['MultiEdit', 'NotebookEdit', 'PowerShell', 'LS', 'lookup'])(
    '%s gets all of its input',
    async (name) => {
      const run = await start({
        skill: 'named',
        args: name,
        clientTools: [{ name, inputSchema: { type: 'object' } }],
      });
      expect(run.requiredActions.map(({ kind, tool, input }) => [kind, tool, JSON.parse(input)])).toEqual([
        ['tool_call', name, WHOLE],
      ]);
    },
  );
});

describe('the result', () => {
  it('is repaired once, and JSON then', async () => {
    const resultSchema = { type: 'object', required: ['n'] };
    expect(await start({ skill: 'json', resultSchema })).toMatchObject({
      status: 'succeeded',
      resultFormat: 'json',
      result: '{"n": 1}',
    });
  });
});

describe('each limit', () => {
  it.each([
    [{ turns: 3 }, 'turn_limit', 'after 2'],
    [{ toolCalls: 2 }, 'tool_call_limit', 'after 2'],
    [{ tokens: 200 }, 'token_limit', 'after 1'],
    [{ cost: 0.02 }, 'cost_limit', 'after 1'],
  ])('%j ends the run as %s, with what there was', async (limits, stopReason, result) => {
    const run = await start({ skill: 'busy', limits });
    expect(run).toMatchObject({ status: 'stopped', stopReason, result });
    expect(run).toMatchObject({ usage: { cost: expect.any(Number), tokens: { small: {} } } });
  });

  it('of depth, too', async () => {
    expect(await start({ skill: 'deep', limits: { depth: 0 } })).toMatchObject({
      status: 'stopped',
      stopReason: 'depth_limit',
    });
  });
});
