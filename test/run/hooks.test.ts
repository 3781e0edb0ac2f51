/** Hooks of a forked skill: what they may stop, and that they run as often as they should. */
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { HookAction } from '../../src/format/fields/hook-schema.ts';
import type { RunHook, RunStart } from '../../src/invoke/runs/run-contract.ts';
import { A_MODEL, bashCall, calls, says, scripted } from './scripted.ts';
import { drain, ran, runs, startOf, stubOf, useDependencies, type Wanted } from './support.ts';

const HERE: RunStart['settings'] = { hooks: { command: 'sandbox', http: 'run' }, events: { names: 'shown' } };

function hook(event: string, action: string | HookAction, matcher: string | null = null): RunHook {
  return {
    hook: `hook_${event}_${matcher ?? ''}`,
    event,
    skill: 'steps',
    layer: 'org',
    matcher,
    action: typeof action === 'string' ? { type: 'command', command: action } : action,
    pluginRoot: null,
    skillDirectory: '/skills/steps',
  };
}

const BLOCK = 'echo "not in here" >&2; exit 2';
/** Blocks what its input names. */
const GUARD = 'if grep -q "rm -rf"; then echo "too dangerous" >&2; exit 2; fi';

const start = (hooks: RunHook[], more: Wanted = {}) =>
  startOf({ model: A_MODEL, settings: HERE, hooks, ...more });

const twoCalls = () =>
  useDependencies({
    model: () =>
      scripted(calls(bashCall('echo one > log'), bashCall('rm -rf log')), ({ messages }) => {
        const results = messages.flatMap((message) => (message.role === 'tool' ? [message.result] : []));
        return says(results.map(({ stderr, exitCode }) => `${exitCode} ${stderr}`).join(''));
      }),
  });

beforeEach(twoCalls);

describe('PreToolUse', () => {
  test('sees the call, and can keep it from being made', async () => {
    const run = await ran(start([hook('PreToolUse', GUARD, 'Bash')]));
    expect(run.result).toBe('0 126 A hook does not allow this call: too dangerous\n');
    expect(run.files).toEqual([{ path: 'log', size: 4 }]);
    expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'hook', 'tool', 'hook', 'model']);
  });

  test('is about the tools that its matcher means', async () => {
    const run = await ran(start([hook('PreToolUse', BLOCK, 'Write|Edit')]));
    expect(run.result).toBe('0 0 ');
    const pattern = await ran(start([hook('PreToolUse', BLOCK, '^B.sh$')]));
    expect(pattern.result).toMatch(/^126 .*126 /s);
  });

  test('fires once where it says so, however often the object is gone', async () => {
    const once: HookAction = { type: 'command', command: 'exit 0', once: true };
    const begun = start([hook('PreToolUse', once)]);
    await runs.start(begun);
    for (let wakes = 0; wakes < 8; wakes += 1) {
      await evictDurableObject(stubOf(begun));
      await runDurableObjectAlarm(stubOf(begun));
    }
    const run = await drain(begun);
    expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'hook', 'tool', 'tool', 'model']);
  });
});

test('PostToolUse is told of the result, and its objection reaches the model', async () => {
  const objects = 'grep -q "\\"exitCode\\":0" && { echo "look again" >&2; exit 2; }';
  const run = await ran(start([hook('PostToolUse', objects)]));
  expect(run.result).toBe('0 A hook objects: look again\n0 A hook objects: look again\n');
});

test('Stop and SubagentStop keep a run going, so often and no more', async () => {
  useDependencies({
    model: () =>
      scripted(({ messages }) => {
        const last = messages.at(-1);
        return says(`${messages.length} ${last?.role === 'user' ? last.text : ''}`);
      }),
  });
  const run = await ran(start([hook('Stop', 'echo "not yet" >&2; exit 2'), hook('SubagentStart', 'exit 0')]));
  expect(run).toMatchObject({ status: 'succeeded', usage: { turns: RUN_LIMITS.stopBlocks + 1 } });
  expect(run.result).toBe('7 not yet');
  expect(run.steps[0]).toMatchObject({ kind: 'hook' });
  const ended = await ran(start([hook('SubagentStop', 'exit 0')]));
  expect(ended.steps.map(({ kind }) => kind)).toEqual(['model', 'hook']);
});

test('hooks are run here only where the organisation says so', async () => {
  const settings: RunStart['settings'] = { ...HERE, hooks: { command: 'host', http: 'host' } };
  const run = await ran(start([hook('PreToolUse', BLOCK), hook('Stop', BLOCK, 'x')], { settings }));
  expect(run.result).toBe('0 0 ');
  const reason = 'hooks.command of the organisation’s settings leaves it to the host, and a run has none';
  expect(run.hooksNotRun).toEqual([
    { hook: 'hook_PreToolUse_', event: 'PreToolUse', type: 'command', matcher: null, reason, times: 2 },
    { hook: 'hook_Stop_x', event: 'Stop', type: 'command', matcher: 'x', reason, times: 1 },
  ]);
  expect(run.steps.find(({ kind }) => kind === 'hook')?.output).toBe(`not run: hook_PreToolUse_: ${reason}`);
  const asked = await ran(start([hook('PreToolUse', { type: 'prompt', prompt: 'May it?' })]));
  expect(asked.hooksNotRun).toMatchObject([{ type: 'prompt', times: 2 }]);
  expect((await ran(start([hook('PreToolUse', 'exit 0')]))).hooksNotRun).toEqual([]);
});

test('a hook that never answers stops nothing for long', async () => {
  const slow: HookAction = { type: 'command', command: 'sleep 60', timeout: 0.1 };
  const run = await ran(start([hook('PreToolUse', slow)]));
  expect(run.result).toBe('0 0 ');
});

test('what a server was told is not told again: the call that it guards is not made', async () => {
  let told = 0;
  const http: HookAction = { type: 'http', url: 'https://hooks.example.org/' };
  const trap = { shut: true };
  const dependencies = {
    model: () => scripted(calls(bashCall('echo one')), says('done')),
    hooks: {
      fetch: async () => {
        told += 1;
        while (trap.shut) await scheduler.wait(5);
        return new Response('{}');
      },
    },
  };
  useDependencies(dependencies);
  const begun = start([hook('PreToolUse', http)]);
  await runs.start(begun);
  await runDurableObjectAlarm(stubOf(begun));
  void runDurableObjectAlarm(stubOf(begun)).catch(() => undefined);
  await expect.poll(() => told).toBe(1);
  await abortAllDurableObjects();
  trap.shut = false;
  const run = await drain(begun);
  expect(told).toBe(1);
  expect(run.result).toBe('done');
  expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'hook', 'model']);
  expect(run.steps[1]?.output).toContain('interrupted');
});
