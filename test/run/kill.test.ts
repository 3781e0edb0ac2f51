/**
 * Kills the object of a run and lets alarms carry on. Between steps it is evicted (memory lost) and aborted (memory and
 * everything uncommitted lost); inside a step it is aborted, since an eviction waits for the step to end. What a kill of
 * the whole process does to files on disk is not shown here.
 */
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { RunStart, RunView } from '../../src/invoke/runs/run-contract.ts';
import type { Model } from '../../src/model/model.ts';
import { runbook } from '../../src/run/runbook.ts';
import { hangIn, killInside, Trap } from './trap.ts';
import {
  TestBlobs,
  addressOf,
  bash,
  drain,
  runs,
  startOf,
  stubOf,
  useDependencies,
  view,
} from './support.ts';

const SCRIPTS = [
  'echo one >> log.txt',
  'echo two >> log.txt; cat "$SKILL_DIR/slow.txt" >> log.txt',
  'cat log.txt',
];
const RESULT = 'one\ntwo\nslow\n';
/** Model and tool by turns, the last word is the model's; the wake after it ends the run. */
const STEPS = 7;
const WAKES = STEPS + 1;

let blobs = new TestBlobs();

beforeEach(() => {
  blobs = new TestBlobs();
  useDependencies({ blobs });
});

async function started(): Promise<RunStart> {
  const start = startOf({ prompt: bash(...SCRIPTS), skillFiles: { 'slow.txt': blobs.add('slow\n') } });
  await runs.start(start);
  return start;
}

/** What may not differ between a run that was killed and one that was not. */
function outcome({ status, stopReason, result, steps, files, usage }: RunView) {
  const plain = steps.map(({ sequence, kind, state, input, output, exitCode }) => ({
    sequence,
    kind,
    state,
    input,
    output,
    exitCode,
  }));
  return { status, stopReason, result, steps: plain, files, usage };
}

function attempts(run: RunView): number[] {
  return run.steps.map((step) => step.attempts);
}

async function undisturbed() {
  const run = await drain(await started());
  expect(run).toMatchObject({ status: 'succeeded', result: RESULT });
  expect(run.steps).toHaveLength(STEPS);
  return outcome(run);
}

const KILLS: [string, (start: RunStart) => Promise<void>][] = [
  ['evicted', (start) => evictDurableObject(stubOf(start))],
  ['aborted', () => abortAllDurableObjects()],
];

describe.each(KILLS)('%s', (_, kill) => {
  test.each(Array.from({ length: WAKES }, (_, wakes) => wakes))('after %i wakes', async (wakes) => {
    const expected = await undisturbed();
    const start = await started();
    for (let wake = 0; wake < wakes; wake += 1) await runDurableObjectAlarm(stubOf(start));
    await kill(start);
    const run = await drain(start);
    expect(outcome(run)).toEqual(expected);
    expect(attempts(run)).toEqual(Array.from({ length: STEPS }, () => 1));
  });

  test('after every wake', async () => {
    const expected = await undisturbed();
    const start = await started();
    for (let wake = 0; wake < WAKES; wake += 1) {
      await kill(start);
      await runDurableObjectAlarm(stubOf(start));
    }
    expect(outcome(await view(start))).toEqual(expected);
  });
});

test('aborted inside a Bash call that appends: the line is there once', async () => {
  const expected = await undisturbed();
  const trap = new Trap();
  blobs.before = () => trap.wait();
  const start = await started();
  await killInside(trap, start);
  const between = await view(start);
  expect(between.steps.at(-1)).toMatchObject({ sequence: 3, kind: 'tool', state: 'started', attempts: 1 });
  expect(between.files).toEqual([{ path: 'log.txt', size: 'one\n'.length }]);
  const run = await drain(start);
  expect(outcome(run)).toEqual(expected);
  expect(attempts(run)).toEqual([1, 1, 1, 2, 1, 1, 1]);
});

test.each([0, 2, 4, 6])(
  'aborted inside the model step %i, before and after it has its reply',
  async (sequence) => {
    const expected = await undisturbed();
    for (const late of [false, true]) {
      const trap = new Trap();
      const turn = sequence / 2;
      const hanging: Model = {
        name: 'runbook',
        async next(request) {
          const engine = runbook(SCRIPTS);
          const here = request.messages.filter(({ role }) => role === 'tool').length === turn;
          if (here && !late) await trap.wait();
          const reply = await engine.next(request);
          if (here && late) await trap.wait();
          return reply;
        },
      };
      useDependencies({ blobs, model: () => hanging });
      const start = await started();
      await killInside(trap, start);
      const run = await drain(start);
      expect(outcome(run)).toEqual(expected);
      expect(attempts(run)).toEqual(
        Array.from({ length: STEPS }, (_, index) => (index === sequence ? 2 : 1)),
      );
    }
  },
);

test('aborted inside a step that followed the one before at once: the same', async () => {
  const expected = await undisturbed();
  const trap = new Trap();
  blobs.before = () => trap.wait();
  useDependencies({ blobs, pauseMilliseconds: 0 });
  const start = await started();
  await vi.waitFor(() => expect(trap.sprung).toBe(true), { timeout: 10_000, interval: 5 });
  const between = await view(start);
  expect(between.steps.at(-1)).toMatchObject({ sequence: 3, kind: 'tool', state: 'started', attempts: 1 });
  const page = await runs.events(addressOf(start), 0, 100, 0);
  const told = page.ok ? page.value.events : [];
  expect(told.at(-1)).toMatchObject({ type: 'step.started', step: 3, attempt: 1 });
  await abortAllDurableObjects();
  const alarm = await runInDurableObject(stubOf(start), (_, { storage }) => storage.getAlarm());
  expect(alarm).not.toBeNull();
  const run = await drain(start);
  expect(outcome(run)).toEqual(expected);
  expect(attempts(run)).toEqual([1, 1, 1, 2, 1, 1, 1]);
});

test('an attempt that was overtaken keeps nothing', async () => {
  const trap = new Trap();
  blobs.before = () => trap.wait();
  const start = await started();
  const { woken } = await hangIn(trap, start);
  await runInDurableObject(stubOf(start), (_, { storage }) => {
    storage.sql.exec('UPDATE step SET attempts = attempts + 1 WHERE sequence = 3');
  });
  trap.released = true;
  await woken;
  expect((await view(start)).steps.at(-1)).toMatchObject({ sequence: 3, state: 'started', attempts: 2 });
  expect((await view(start)).files).toEqual([{ path: 'log.txt', size: 'one\n'.length }]);
  expect((await drain(start)).result).toBe(RESULT);
});

test('doubled alarms do no step twice', async () => {
  const expected = await undisturbed();
  const start = await started();
  for (let wake = 0; wake < WAKES + 2; wake += 1) {
    await runInDurableObject(stubOf(start), (object) =>
      Promise.all([object.alarm(), object.alarm(), object.alarm()]),
    );
  }
  const run = await view(start);
  expect(outcome(run)).toEqual(expected);
  expect(attempts(run)).toEqual(Array.from({ length: STEPS }, () => 1));
});

test('an object that dies inside a step has an alarm that brings it back', async () => {
  const trap = new Trap();
  blobs.before = () => trap.wait();
  const start = await started();
  await killInside(trap, start);
  const alarm = await runInDurableObject(stubOf(start), (_, { storage }) => storage.getAlarm());
  expect(alarm).toBeLessThan(Date.now() + 10_000);
});

test('a step that fails for a while is tried again, and its run succeeds', async () => {
  let failures = 3;
  blobs.before = async () => {
    failures -= 1;
    if (failures >= 0) throw new Error('storage is away');
  };
  const run = await drain(await started());
  expect(run).toMatchObject({ status: 'succeeded', result: RESULT });
  expect(attempts(run)).toEqual([1, 1, 1, 4, 1, 1, 1]);
});

test('a step that always fails ends the run, with what there was', async () => {
  blobs.before = async () => {
    throw new Error('storage is away');
  };
  const run = await drain(await started());
  expect(run).toMatchObject({ status: 'failed', stopReason: 'internal_error' });
  expect(run.steps.at(-1)).toMatchObject({ kind: 'tool', state: 'stopped', attempts: 5 });
  expect(run.files).toEqual([{ path: 'log.txt', size: 'one\n'.length }]);
});

test('an engine that always fails ends the run', async () => {
  const broken: Model = { name: 'broken', next: () => Promise.reject(new Error('no answer')) };
  useDependencies({ blobs, model: () => broken });
  const run = await drain(await started());
  expect(run).toMatchObject({
    status: 'failed',
    stopReason: 'internal_error',
    usage: { turns: 0, toolCalls: 0 },
  });
});

test('a journal that cannot be read ends the run instead of leaving it stuck', async () => {
  const start = await started();
  await runDurableObjectAlarm(stubOf(start));
  await runInDurableObject(stubOf(start), (_, { storage }) => {
    storage.sql.exec(
      "UPDATE piece SET bytes = ? WHERE owner = 'step:0'",
      new TextEncoder().encode('{}').buffer,
    );
  });
  await evictDurableObject(stubOf(start));
  await runDurableObjectAlarm(stubOf(start));
  const [row] = await runInDurableObject(stubOf(start), (_, { storage }) =>
    storage.sql.exec('SELECT status, stop_reason FROM run').toArray(),
  );
  expect(row).toEqual({ status: 'failed', stop_reason: 'internal_error' });
});
