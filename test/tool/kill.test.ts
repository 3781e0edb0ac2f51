import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { toolbox } from '../../src/tool/toolbox.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { drain, runs, startOf, stubOf, useDependencies, view } from '../run/support.ts';
import { allTools, answersOf, type Call, NO_PORTS, oneByOne } from './support.ts';

const CALLS: readonly Call[] = [
  ['Write', { file_path: 'log', content: 'a' }],
  ['Edit', { file_path: 'log', old_string: 'a', new_string: 'aa' }],
  ['Read', { file_path: 'given' }],
  ['Write', { file_path: 'given', content: 'x' }],
  ['Edit', { file_path: 'log', old_string: 'aa', new_string: 'aab' }],
  ['Bash', { command: 'seq 10000 | tee -a log | tail -1; cat log | head -c 5; seq 9000' }],
  ['Grep', { pattern: '^aab', output_mode: 'count' }],
];
/** Tools that do all their work and then hang, the first time that this call of the run is made, until the object is gone. */
function hangingIn(turn: number): { readonly sprung: () => boolean; readonly install: () => void } {
  let calls = 0;
  let sprung = false;
  const hanging = (tool: Tool): Tool => ({
    ...tool,
    read(input) {
      const read = tool.read(input);
      if (!read.ok) return read;
      const { subject, run } = read.value;
      const hung: typeof run = async (context) => {
        const output = await run(context);
        calls += 1;
        if (calls - 1 === turn && !sprung) {
          sprung = true;
          for (;;) await scheduler.wait(5);
        }
        return output;
      };
      return { ok: true, value: { subject, run: hung } };
    },
  });
  return {
    sprung: () => sprung,
    install: () =>
      useDependencies({
        model: () => oneByOne(CALLS),
        tools: (start) => {
          const box = toolbox(start, NO_PORTS);
          return {
            specs: box.specs,
            async find(name) {
              const tool = await box.find(name);
              return tool && hanging(tool);
            },
          };
        },
      }),
  };
}

async function started() {
  const start = startOf({ tools: allTools(), files: { given: 'given' } });
  await runs.start(start);
  return start;
}

async function undisturbed() {
  hangingIn(-1).install();
  const run = await drain(await started());
  expect(run).toMatchObject({ status: 'succeeded', usage: { toolCalls: CALLS.length } });
  return { answers: answersOf(run), files: run.files };
}

test.each(CALLS.map(([tool], turn) => [turn, tool] as const))(
  'aborted in call %i, %s, when it had done all and kept nothing: done once',
  async (turn) => {
    const expected = await undisturbed();
    const trap = hangingIn(turn);
    trap.install();
    const start = await started();
    while (!trap.sprung()) {
      const woken = runDurableObjectAlarm(stubOf(start)).catch(() => false);
      await Promise.race([woken, untilSprung(trap)]);
    }
    await abortAllDurableObjects();
    const run = await drain(start);
    expect({ answers: answersOf(run), files: run.files }).toEqual(expected);
    expect(run.steps.map(({ attempts }) => attempts).filter((attempts) => attempts > 1)).toEqual([2]);
  },
);

async function untilSprung(trap: { readonly sprung: () => boolean }): Promise<void> {
  while (!trap.sprung()) await scheduler.wait(5);
}

test('what was read is known after an eviction', async () => {
  const expected = await undisturbed();
  const start = await started();
  for (let wakes = 0; wakes < 2 * CALLS.length + 2; wakes += 1) {
    await evictDurableObject(stubOf(start));
    await runDurableObjectAlarm(stubOf(start));
  }
  const run = await view(start);
  expect({ answers: answersOf(run), files: run.files }).toEqual(expected);
});
