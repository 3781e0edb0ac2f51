/**
 * A run that takes every kind of step, killed at every boundary of its journal: evicted (memory lost) and aborted (memory
 * and everything uncommitted lost), between steps and inside of those that can be killed there. Whatever happens, the
 * transcript is the same, no row is lost or doubled, and a tool that is not idempotent has run once.
 */
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/invoke/runs/run-event.ts';
import type { RunStart, RunView } from '../../src/invoke/runs/run-contract.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { advance, everyStepDependencies, everyStepStart, sent, toTheEnd, trap } from './every-step.ts';
import { addressOf, runs, stubOf, useDependencies } from './support.ts';

let organisation = '';
beforeAll(async () => {
  organisation = newOrganisation();
  const body = 'Count.\n\n```bash\necho counted > n; cat n\n```\n';
  const tree = treeOf({ 'count/SKILL.md': skillText('count', 'context: fork\n', body) });
  await push(await tokenFor(organisation), 'org', tree);
});

beforeEach(() => {
  trap.shut = false;
  useDependencies(everyStepDependencies());
});

const newStart = () => everyStepStart(organisation);

/** What may not differ between a run that was killed and one that was not. */
function transcript({ id, status, stopReason, result, steps, files, usage }: RunView) {
  const plain = steps.map(({ sequence, kind, state, tool, input, output, exitCode }) => {
    const same = (text: string | undefined) =>
      text?.replaceAll(id, 'ID').replace(/run_[0-9a-f]{26}/, 'CHILD');
    return { sequence, kind, state, tool, exitCode, input: same(input), output: same(output) };
  });
  return { status, stopReason, result, steps: plain, files, usage };
}

/** Events of the attempts that counted, in order. */
async function told(start: RunStart): Promise<string[]> {
  const page = await runs.events(addressOf(start), 0, 500, 0);
  const events: readonly RunEvent[] = page.ok ? page.value.events : [];
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  return events.flatMap((event) => (event.type === 'step.done' ? `${event.step} ${event.kind}` : []));
}

async function rows(start: RunStart): Promise<unknown[]> {
  return runInDurableObject(stubOf(start), (_, { storage }) =>
    storage.sql.exec('SELECT sequence, kind FROM step ORDER BY sequence').toArray(),
  );
}

async function undisturbed() {
  const start = newStart();
  await runs.start(start);
  const run = await toTheEnd(start);
  return {
    run: transcript(run),
    rows: await rows(start),
    told: await told(start),
    moves: run.steps.length + 3,
  };
}

async function expectTheSame(start: RunStart, expected: Awaited<ReturnType<typeof undisturbed>>) {
  const run = await toTheEnd(start);
  expect(transcript(run)).toEqual(expected.run);
  expect(await rows(start)).toEqual(expected.rows);
  expect(await told(start)).toEqual(expected.told);
  expect(sent.get(start.id)).toBe(1);
}

const KILLS: [string, (start: RunStart) => Promise<void>][] = [
  ['evicted', (start) => evictDurableObject(stubOf(start))],
  ['aborted', () => abortAllDurableObjects()],
];

test('takes every kind of step', async () => {
  const { run } = await undisturbed();
  expect(run).toMatchObject({ status: 'succeeded', result: '{"lines": 2}' });
  expect(new Set(run.steps.map(({ kind }) => kind))).toEqual(
    new Set(['model', 'tool', 'wait', 'hook', 'compaction']),
  );
  expect(run.steps.filter(({ kind }) => kind === 'wait')).toHaveLength(3);
});

describe.each(KILLS)('%s', (_, kill) => {
  test('at each boundary, one after the other', async () => {
    const expected = await undisturbed();
    for (let boundary = 0; boundary <= expected.moves; boundary += 1) {
      const start = newStart();
      await runs.start(start);
      for (let moves = 0; moves < boundary; moves += 1) await advance(start);
      await kill(start);
      await expectTheSame(start, expected);
    }
  }, 180_000);

  test('at all of them', async () => {
    const expected = await undisturbed();
    const start = newStart();
    await runs.start(start);
    for (let moves = 0; moves <= expected.moves; moves += 1) {
      await kill(start);
      await advance(start);
    }
    await expectTheSame(start, expected);
  }, 60_000);
});

test('aborted inside of a tool that is not idempotent: it is not made again, and the model is told', async () => {
  const start = newStart();
  await runs.start(start);
  trap.shut = true;
  for (let moves = 0; moves < 30 && !sent.has(start.id); moves += 1) {
    const woken = advance(start).catch(() => undefined);
    await Promise.race([woken, scheduler.wait(200)]);
  }
  await abortAllDurableObjects();
  trap.shut = false;
  const run = await toTheEnd(start);
  expect(run.status).toBe('succeeded');
  expect(sent.get(start.id)).toBe(1);
  const interrupted = run.steps.filter(({ tool, kind }) => tool === 'Send' && kind === 'tool');
  expect(interrupted).toMatchObject([{ state: 'done', attempts: 1, exitCode: 130 }]);
  expect(interrupted[0]?.output).toContain('interrupted');
});
