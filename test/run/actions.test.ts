/** What a run waits for from outside: a person who approves a call, or its host that makes one. */
import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { ActionAnswer, RunStart } from '../../src/invoke/runs/run-contract.ts';
import { A_MODEL, bashCall, calls, says, scripted } from './scripted.ts';
import {
  addressOf,
  bash,
  drain,
  person,
  runs,
  startOf,
  stubOf,
  useDependencies,
  view,
  type Wanted,
} from './support.ts';

const ASK: RunStart['rules'] = [
  { effect: 'ask', pattern: 'Bash(rm:*)', layer: 'organisation', reason: 'files are precious' },
];
let now = Date.now();

beforeEach(() => {
  now = Date.now();
  useDependencies({ now: () => now });
});

async function untilItWaits(start: RunStart) {
  await runs.start(start);
  for (let wakes = 0; wakes < 50; wakes += 1) {
    const run = await view(start);
    if (run.status === 'requires_action') return run;
    await runDurableObjectAlarm(stubOf(start));
  }
  throw new Error('the run waits for nobody');
}

async function answer(start: RunStart, given: ActionAnswer) {
  return runs.answer(addressOf(start), given);
}

const remover = () => startOf({ rules: ASK, prompt: bash('touch f', 'rm f', 'ls; echo done') });

describe('an approval', () => {
  test('says who is asked for what, why and until when', async () => {
    const run = await untilItWaits(remover());
    const [action] = run.requiredActions;
    expect(action).toMatchObject({ kind: 'approval', tool: 'Bash', input: 'rm f', call: 'step-2' });
    expect(action?.reason).toContain('Bash(rm:*)');
    const time = Date.parse(action?.until ?? '') - Date.parse(action?.askedAt ?? '');
    expect(time).toBe(RUN_LIMITS.defaultActionMilliseconds);
    expect(run.endedAt).toBeNull();
  });

  test('lets the call be made, once', async () => {
    const start = remover();
    const { requiredActions } = await untilItWaits(start);
    const id = requiredActions[0]?.id ?? '';
    const yes = { kind: 'approval', id, approve: true, by: person('alice') } as const;
    expect(await answer(start, yes)).toMatchObject({ ok: true, value: { status: 'running' } });
    expect(await answer(start, yes)).toMatchObject({ ok: true });
    expect(await answer(start, { ...yes, approve: false })).toMatchObject({
      ok: false,
      error: { code: 'run_not_waiting' },
    });
    const run = await drain(start);
    expect(run).toMatchObject({ status: 'succeeded', result: 'done\n', usage: { toolCalls: 3 } });
    expect(run.steps.map(({ kind }) => kind)).toEqual([
      'model',
      'tool',
      'model',
      'tool',
      'wait',
      'tool',
      'model',
      'tool',
      'model',
    ]);
    expect(run.steps[4]?.output).toBe('allowed by alice');
  });

  test('can be refused, and the engine is told', async () => {
    const start = remover();
    const { requiredActions } = await untilItWaits(start);
    await answer(start, {
      kind: 'approval',
      id: requiredActions[0]?.id ?? '',
      approve: false,
      by: person('bob'),
    });
    const run = await drain(start);
    expect(run).toMatchObject({ status: 'failed', stopReason: 'step_failed' });
    expect(run.result).toContain('A person denied this call.');
    expect(run.files).toEqual([{ path: 'f', size: 0 }]);
  });

  test('that nobody gives is a no at its time, and the time does not count as work', async () => {
    const start = remover();
    await untilItWaits(start);
    now += RUN_LIMITS.defaultActionMilliseconds - 1000;
    await runDurableObjectAlarm(stubOf(start));
    expect((await view(start)).status).toBe('requires_action');
    now += 2000;
    const run = await drain(start);
    expect(run).toMatchObject({ status: 'failed', stopReason: 'step_failed' });
    expect(run.result).toContain('Nobody allowed this call in time.');
  });

  test('is waited for over evictions', async () => {
    const start = remover();
    const before = await untilItWaits(start);
    await evictDurableObject(stubOf(start));
    await runDurableObjectAlarm(stubOf(start));
    const after = await view(start);
    expect(after.requiredActions).toEqual(before.requiredActions);
    expect(after.steps).toEqual(before.steps);
  });
});

describe('a tool of the host', () => {
  const clientTools = [{ name: 'lookup', description: 'Looks up', inputSchema: { type: 'object' } }];
  const looking = (more: Wanted = {}) => {
    useDependencies({
      now: () => now,
      model: () =>
        scripted(calls(['lookup', { word: 'x' }], bashCall('echo here')), ({ messages }) => {
          const results = messages.flatMap((message) => (message.role === 'tool' ? [message.result] : []));
          return says(results.map(({ stdout, stderr }) => stdout + stderr).join('|'));
        }),
    });
    return startOf({ model: A_MODEL, clientTools, ...more });
  };

  test('makes the run wait for its result', async () => {
    const start = looking();
    const run = await untilItWaits(start);
    expect(run.requiredActions).toMatchObject([{ kind: 'tool_call', tool: 'lookup', input: '{"word":"x"}' }]);
    const id = run.requiredActions[0]?.id ?? '';
    const given = { kind: 'tool_call', id, output: 'found', isError: false } as const;
    expect((await answer(start, given)).ok).toBe(true);
    expect((await answer(start, given)).ok).toBe(true);
    expect((await answer(start, { ...given, output: 'other' })).ok).toBe(false);
    expect((await answer(start, { ...given, id: 'act_9' })).ok).toBe(false);
    expect((await answer(start, { ...given, id: 'nonsense' })).ok).toBe(false);
    expect(await drain(start)).toMatchObject({ status: 'succeeded', result: 'found|here\n' });
  });

  test('whose output is long is cut, and all of it stays readable', async () => {
    const long = `${'x'.repeat(40_000)}\u0007the end`;
    let seen = '';
    useDependencies({
      now: () => now,
      model: () =>
        scripted(
          calls(['lookup', {}]),
          ({ messages }) => {
            const last = messages.at(-1);
            seen = last?.role === 'tool' ? last.result.stdout : '';
            const path = /can be read in (\S+)\]/.exec(seen)?.[1] ?? '';
            return calls(bashCall(`tail -c 10 ${path}`));
          },
          ({ messages }) => {
            const last = messages.at(-1);
            return says(last?.role === 'tool' ? last.result.stdout : '');
          },
        ),
    });
    const start = startOf({ model: A_MODEL, clientTools });
    const id = (await untilItWaits(start)).requiredActions[0]?.id ?? '';
    const given = { kind: 'tool_call', id, output: long, isError: false } as const;
    const twice = await Promise.all([answer(start, given), answer(start, given)]);
    expect(twice.map(({ ok }) => ok)).toEqual([true, true]);
    expect((await answer(start, { ...given, output: `${long}.` })).ok).toBe(false);
    await evictDurableObject(stubOf(start));
    expect(await drain(start)).toMatchObject({ status: 'succeeded', result: '\u2407the end' });
    expect(seen.length).toBeLessThan(RUN_LIMITS.toolOutputCharacters + 200);
  });

  test('that fails, or does not answer, is told to the model', async () => {
    const failing = looking();
    const { requiredActions } = await untilItWaits(failing);
    await answer(failing, {
      kind: 'tool_call',
      id: requiredActions[0]?.id ?? '',
      output: 'no',
      isError: true,
    });
    expect((await drain(failing)).result).toBe('no|here\n');
    const silent = looking({ waitMilliseconds: 5000 });
    await untilItWaits(silent);
    now += 6000;
    expect((await drain(silent)).result).toContain('not answered');
  });

  test('is not asked for what it cannot take', async () => {
    const inputSchema = { type: 'object', properties: { word: { type: 'number' } } };
    const start = looking({ clientTools: [{ name: 'lookup', description: '', inputSchema }] });
    await runs.start(start);
    const run = await drain(start);
    expect(run.result).toMatch(/^lookup cannot take this input: .*word.*\n\|here\n$/);
    expect(run.requiredActions).toEqual([]);
  });

  test('goes through the organisation’s rules first', async () => {
    const denied = looking({ rules: [{ effect: 'deny', pattern: 'lookup', layer: 'organisation' }] });
    await runs.start(denied);
    const run = await drain(denied);
    expect(run.steps[1]).toMatchObject({ tool: 'lookup', exitCode: 126 });
    const asked = looking({ rules: [{ effect: 'ask', pattern: 'lookup', layer: 'organisation' }] });
    const waiting = await untilItWaits(asked);
    expect(waiting.requiredActions).toMatchObject([{ kind: 'approval', tool: 'lookup' }]);
    const id = waiting.requiredActions[0]?.id ?? '';
    await answer(asked, { kind: 'approval', id, approve: true, by: person('alice') });
    await runDurableObjectAlarm(stubOf(asked));
    await runDurableObjectAlarm(stubOf(asked));
    expect((await view(asked)).requiredActions).toMatchObject([{ kind: 'tool_call', tool: 'lookup' }]);
  });
});
