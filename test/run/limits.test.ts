import { beforeEach, expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { ToolCall } from '../../src/model/message.ts';
import type { Model } from '../../src/model/model.ts';
import { bash, ran, shell, startOf, useDependencies } from './support.ts';

beforeEach(() => useDependencies());

/** An engine that asks for these many calls in every reply, for ever. */
function restless(calls: number): Model {
  return {
    name: 'restless',
    next: async ({ messages }) => ({
      kind: 'calls',
      text: '',
      calls: Array.from({ length: calls }, (_, index): ToolCall => ({
        id: `${messages.length}-${index}`,
        tool: 'Bash',
        input: { command: 'echo x >> log; wc -l < log' },
      })),
    }),
  };
}

test('the number of turns', async () => {
  useDependencies({ model: () => restless(1) });
  const run = await ran(startOf());
  expect(run).toMatchObject({ status: 'stopped', stopReason: 'turn_limit', result: `${RUN_LIMITS.turns}\n` });
  expect(run.usage).toMatchObject({ turns: RUN_LIMITS.turns, toolCalls: RUN_LIMITS.turns });
}, 30_000);

test('the number of tool calls', async () => {
  useDependencies({ model: () => restless(50) });
  const run = await ran(startOf());
  expect(run).toMatchObject({
    status: 'stopped',
    stopReason: 'tool_call_limit',
    result: `${RUN_LIMITS.toolCalls}\n`,
  });
  expect(run.usage).toMatchObject({ turns: 3, toolCalls: RUN_LIMITS.toolCalls });
}, 30_000);

test('the time on the wall', async () => {
  let now = Date.now();
  useDependencies({ now: () => (now += RUN_LIMITS.wallMilliseconds / 20) });
  const run = await ran(
    startOf({ prompt: bash('echo one', 'echo two', 'echo three', 'echo four', 'echo five') }),
  );
  expect(run).toMatchObject({ status: 'stopped', stopReason: 'wall_time_limit' });
  expect(run.result).toMatch(/^(one|two|three)\n$/);
});

test('a call does not outlast the time on the wall', async () => {
  const begun = Date.now();
  let late = false;
  useDependencies({ now: () => (late ? begun + RUN_LIMITS.wallMilliseconds - 300 : ((late = true), begun)) });
  const run = await ran(startOf({ prompt: bash('echo early; sleep 15; echo late') }));
  expect(Date.now() - begun).toBeLessThan(5000);
  expect(run.steps[1]?.exitCode).toBe(124);
});

test('the bytes of the workspace: the call that goes over changes nothing', async () => {
  const files = { in: new Uint8Array(RUN_LIMITS.fileBytes) };
  const run = await ran(
    startOf({
      files,
      prompt: bash('echo one; cp in a', 'echo two; for i in $(seq 40); do cp in f$i; done', 'echo three'),
    }),
  );
  expect(run).toMatchObject({
    status: 'stopped',
    stopReason: 'workspace_limit',
    result: 'two\n',
    usage: { toolCalls: 2 },
  });
  expect(run.files.map(({ path }) => path)).toEqual(['a', 'in']);
  expect(run.steps[3]?.output).toContain('ENOSPC');
});

test('the number of files', async () => {
  const { run } = await shell('for i in $(seq 5000); do echo > f$i; done; echo done');
  expect(run).toMatchObject({ status: 'stopped', stopReason: 'workspace_limit', files: [] });
});

test.each([
  'while :; do :; done',
  'f() { f; }; f',
  'cat <<< $(printf "%0.s." {1..100000}) | wc -c; while true; do x=$x.; done',
])('a script without an end is ended: %s', async (script) => {
  const { run, exitCode } = await shell(script);
  expect(exitCode).not.toBe(0);
  expect(run).toMatchObject({ status: 'failed', stopReason: 'step_failed' });
});
