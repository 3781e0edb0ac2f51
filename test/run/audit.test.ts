import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { AuditRecord } from '../../src/audit/audit-record.ts';
import type { RunStart } from '../../src/invoke/runs/run-contract.ts';
import { productionDependencies } from '../../src/run/dependencies.ts';
import { newOrganisation } from '../support/deployment.ts';
import { A_MODEL, calls, says, scripted } from './scripted.ts';
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

let organisation = '';
/** How often the log cannot be reached from now on. */
let failures = 0;
beforeEach(() => {
  organisation = newOrganisation();
  failures = 0;
  const { list } = productionDependencies(env);
  useDependencies({
    list: {
      tell: async (name, news) => {
        if (news.reports.length > 0) failures -= 1;
        if (news.reports.length > 0 && failures >= 0) throw new Error('not now');
        await list.tell(name, news);
      },
    },
  });
});

const start = (...scripts: string[]) => startOf({ organisation, prompt: bash(...scripts) });

async function records() {
  const page = await env.ORG.getByName(`o/${organisation}`).auditPage(`o/${organisation}`, 0, 100);
  return (page?.lines ?? []).map((line) => AuditRecord.parse(JSON.parse(line)));
}

const told = async () => (await records()).map(({ act, details }) => [act, details['stopReason'] ?? null]);
const wake = (run: RunStart) => runDurableObjectAlarm(stubOf(run));
const ENDED = [
  ['run_started', null],
  ['run_ended', 'completed'],
];

describe('a run', () => {
  it('tells of its start and its end, once each, whoever starts it again', async () => {
    const run = start('echo one');
    await runs.start(run);
    await runs.start(run);
    await drain(run);
    await wake(run);
    await runs.start(run);
    await wake(run);
    expect(await told()).toEqual(ENDED);
    expect(await records()).toMatchObject([
      {
        subject: run.id,
        actor: { organisation, label: 'test' },
        details: { skill: 'steps', engine: 'runbook' },
      },
      { subject: run.id, actor: { organisation, label: 'test' }, details: { status: 'succeeded' } },
    ]);
  });

  it('that has the id of one that is forgotten is another one', async () => {
    const run = start('echo one');
    const { list } = productionDependencies(env);
    for (const later of [0, 1_000]) {
      useDependencies({ list, now: () => Date.now() + later });
      await runs.start(run);
      await drain(run);
      await wake(run);
      await runInDurableObject(stubOf(run), async (_object, state) => {
        await state.storage.deleteAlarm();
        await state.storage.deleteAll();
      });
      await evictDurableObject(stubOf(run));
    }
    expect(await told()).toEqual([...ENDED, ...ENDED]);
  });

  it.each([
    ['evicted', (run: RunStart) => evictDurableObject(stubOf(run))],
    ['aborted', () => abortAllDurableObjects()],
  ])('that is %s after every wake tells the same', async (_name, kill) => {
    const run = start('echo one', 'echo two');
    await runs.start(run);
    for (let wakes = 0; wakes < 12; wakes += 1) {
      await kill(run);
      await wake(run);
    }
    expect(await told()).toEqual(ENDED);
  });

  it('goes on when the log cannot be reached, and tells it later', async () => {
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    const run = start('echo one');
    failures = Number.POSITIVE_INFINITY;
    await runs.start(run);
    expect(await drain(run)).toMatchObject({ status: 'succeeded' });
    await wake(run);
    expect(await told()).toEqual([]);
    expect(logged).toHaveBeenCalled();
    // Not only when it is dropped, a week later.
    const next = await runInDurableObject(stubOf(run), (_object, state) => state.storage.getAlarm());
    expect(next).toBeLessThanOrEqual(Date.now() + 60_000);
    failures = 0;
    await wake(run);
    await wake(run);
    expect(await told()).toEqual(ENDED);
    vi.restoreAllMocks();
  });

  it('tells of its end even where its journal cannot be read any more', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const run = start('echo one');
    await runs.start(run);
    await runInDurableObject(stubOf(run), (_object, state) => {
      state.storage.sql.exec("UPDATE piece SET bytes = x'00' WHERE owner = 'start'");
    });
    await evictDurableObject(stubOf(run));
    await wake(run);
    await wake(run);
    expect(await told()).toEqual([
      ['run_started', null],
      ['run_ended', 'internal_error'],
    ]);
    vi.restoreAllMocks();
  });
});

describe('calls of a run', () => {
  const asking = (script: string, more: Wanted = {}) =>
    startOf({
      organisation,
      prompt: bash(script),
      rules: [
        { effect: 'ask', pattern: 'Bash(rm:*)', layer: 'organisation' },
        { effect: 'deny', pattern: 'Bash(curl:*)', layer: 'organisation' },
      ],
      ...more,
    });
  async function untilItWaits(run: RunStart, kill: () => Promise<void>): Promise<string> {
    for (let wakes = 0; wakes < 20; wakes += 1) {
      const [action] = (await view(run)).requiredActions;
      if (action) return action.id;
      await kill();
      await wake(run);
    }
    throw new Error('it waits for nobody');
  }

  it.each([
    ['evicted', (run: RunStart) => evictDurableObject(stubOf(run))],
    ['aborted', () => abortAllDurableObjects()],
  ])('that a person answers are told of once, in a run that is %s', async (_name, kill) => {
    const run = asking('rm --secret-argument f');
    const alice = { ...person('alice'), organisation };
    await runs.start(run);
    const id = await untilItWaits(run, () => kill(run));
    for (let times = 0; times < 2; times += 1) {
      await runs.answer(addressOf(run), { kind: 'approval', id, approve: true, by: alice });
      await kill(run);
    }
    for (let wakes = 0; wakes < 12; wakes += 1) {
      await wake(run);
      await kill(run);
    }
    const all = await records();
    expect(all.map(({ act }) => act)).toEqual(['run_started', 'run_call_decided', 'run_ended']);
    expect(all[1]).toMatchObject({
      subject: run.id,
      actor: alice,
      details: { decision: 'approved', tool: 'Bash', step: 2, skill: 'steps', layer: 'org' },
    });
    expect(JSON.stringify(all)).not.toContain('secret-argument');
  });

  it('end with a run that somebody cancels, who is named', async () => {
    const run = asking('rm f');
    await runs.start(run);
    await runs.cancel(addressOf(run), { ...person('bob'), organisation });
    await wake(run);
    expect((await records()).map(({ act, actor }) => [act, actor.label])).toEqual([
      ['run_started', 'test'],
      ['run_ended', 'bob'],
    ]);
  });

  it('that nobody answers, and that rules refuse, are told of', async () => {
    let now = Date.now();
    const { list } = productionDependencies(env);
    const refused = (command: string) => ['Bash', { command }] as const;
    useDependencies({
      list,
      now: () => now,
      model: () =>
        scripted(calls(refused('rm f'), refused('curl a'), refused('curl b')), ({ messages }) =>
          says(String(messages.length)),
        ),
    });
    const run = asking('', { model: A_MODEL });
    await runs.start(run);
    await untilItWaits(run, async () => undefined);
    now += run.waitMilliseconds;
    await drain(run);
    await wake(run);
    expect(
      (await records()).map(({ act, actor, details }) => [act, actor.label, details['decision']]),
    ).toEqual([
      ['run_started', 'test', undefined],
      ['run_call_decided', 'deployment', 'unanswered'],
      ['run_call_denied', 'test', undefined],
      ['run_ended', 'test', undefined],
    ]);
  });
});
