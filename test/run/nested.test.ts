/** Skills that a run uses: instructions for itself, or runs below it, which can do no more than it can. */
import { abortAllDurableObjects, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { AuditRecord } from '../../src/audit/audit-record.ts';
import type { SkillEvent } from '../../src/invoke/event.ts';
import type { RunStart, RunView } from '../../src/invoke/runs/run-contract.ts';
import type { Model } from '../../src/model/model.ts';
import { productionDependencies, type RunDependencies } from '../../src/run/dependencies.ts';
import { idBelow } from '../../src/run/related-run.ts';
import { runbook } from '../../src/run/runbook.ts';
import { lowestLimits } from '../../src/view/settings/run-limits.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { A_MODEL, calls, says, scripted, used } from './scripted.ts';
import { Trap } from './trap.ts';
import { addressOf, person, runs, startOf, stubOf, useDependencies, view, type Wanted } from './support.ts';

let organisation = '';
beforeAll(async () => {
  organisation = newOrganisation();
  const token = await tokenFor(organisation);
  const fork = 'context: fork\n';
  await push(
    token,
    'org',
    treeOf({
      'steps/SKILL.md': skillText('steps', fork, 'Again.\n'),
      'count/SKILL.md': skillText(
        'count',
        fork,
        'Count $ARGUMENTS.\n\n```bash\necho counted $ARGUMENTS\n```\n',
      ),
      'broken/SKILL.md': skillText('broken', fork, '```bash\necho part; exit 3\n```\n'),
      'advice/SKILL.md': skillText('advice', '', 'Mind the $ARGUMENTS.\n'),
      'advice/more.txt': 'more',
      'deploy/SKILL.md': skillText('deploy', '', 'Deploy.\n'),
      'moves/SKILL.md': skillText('moves', '', 'As it was.\n'),
      'clean/SKILL.md': skillText('clean', fork, '```bash\nrm -f x; echo clean\n```\n'),
      'outer/SKILL.md': skillText('outer', fork, 'Use clean.\n'),
      'long/SKILL.md': skillText('long', fork, '```bash\nseq 1 9000\n```\n'),
      'manual/SKILL.md': skillText('manual', 'disable-model-invocation: true\n', 'Only people.\n'),
      'secret/SKILL.md': skillText('secret', '', 'No.\n'),
    }),
  );
  const permissions = { deny: ['Skill(secret)'], ask: ['Skill(deploy)', 'Skill(moves)', 'Bash(rm:*)'] };
  await call('PUT', '/v1/settings', { token, body: { permissions } });
});

const TOOLS: RunStart['tools'] = { declared: ['Skill', 'Bash'], granted: ['Skill', 'Bash'], missing: [] };

/** The run that uses skills by this engine; those below it have the engine without a model. */
function parentBy(model: Model, more: Wanted = {}): RunStart {
  useDependencies({ model: ({ parent, steps }) => (parent === null ? model : runbook(steps)), nested });
  return startOf({ organisation, model: A_MODEL, tools: TOOLS, ...more });
}

/** One call of a skill, and then what came of it. */
const using = (skill: string, args?: string) =>
  scripted(calls(['Skill', { skill, ...(args !== undefined && { args }) }]), ({ messages }) => {
    const last = messages.at(-1);
    return says(last?.role === 'tool' ? last.result.stdout + last.result.stderr : '');
  });

/** Wakes a run, and what it started, until it ends or waits for somebody. */
async function settle(start: RunStart): Promise<RunView> {
  await runs.start(start);
  for (let wakes = 0; wakes < 60; wakes += 1) {
    const run = await view(start);
    if (run.status !== 'running') return run;
    await runDurableObjectAlarm(stubOf(start));
    for (const child of childrenOf(run))
      await runDurableObjectAlarm(env.RUN.getByName(`${organisation}/${child}`));
  }
  throw new Error('the run did not end');
}

function childrenOf(run: RunView): string[] {
  return run.steps.flatMap(({ output }) => /^started (run_\w+)$/.exec(output ?? '')?.[1] ?? []);
}

const events: SkillEvent[] = [];
const plain = productionDependencies(env).nested;
const nested = { ...plain, events: { emit: (_: unknown, event: SkillEvent) => void events.push(event) } };

beforeEach(() => {
  events.length = 0;
  useDependencies({ nested });
});

test('a skill that forks is a run of its own, and its result is the call’s', async () => {
  const start = parentBy(using('count', 'three sheep'));
  const run = await settle(start);
  expect(run).toMatchObject({ status: 'succeeded', result: 'counted three sheep\n' });
  expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'tool', 'wait', 'model']);
  const [child = ''] = childrenOf(run);
  expect(events.filter(({ kind }) => kind === 'skill_activated')).toMatchObject([
    { skill: 'count', trigger: 'nested', context: 'fork', outcome: 'activated', run: child },
  ]);
  const below = await runs.read({ organisation, id: child, boundTo: null });
  expect(below).toMatchObject({
    ok: true,
    value: {
      status: 'succeeded',
      skill: { name: 'count', layer: 'org' },
      tools: { granted: TOOLS.granted },
      limits: { depth: start.limits.depth - 1 },
    },
  });
});

test('one that fails says so, with what there is of its result', async () => {
  const run = await settle(parentBy(using('broken')));
  expect(run.status).toBe('succeeded');
  expect(run.result).toContain('part');
  expect(run.result).toContain('ended with step_failed');
});

test('a skill that is inline is instructions for the run itself', async () => {
  const run = await settle(parentBy(using('/advice', 'gap')));
  expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'tool', 'model']);
  expect(run.result).toContain('Mind the gap.');
  expect(run.result).toContain('skill://advice/');
  expect(run.result).toContain('cannot be read in here');
});

test.each([
  ['steps', /being used already/],
  ['manual', /only/],
  ['secret', /Skill\(secret\)/],
  ['nothing-like-it', /./],
])('%s is refused, and the run goes on', async (skill, reason) => {
  const run = await settle(parentBy(using(skill)));
  expect(run.status).toBe('succeeded');
  expect(run.steps[1]?.exitCode).not.toBe(0);
  expect(run.result).toMatch(reason);
});

test('a skill that is a question waits for a person', async () => {
  const start = parentBy(using('deploy'));
  const run = await settle(start);
  expect(run.requiredActions).toMatchObject([{ kind: 'approval', tool: 'Skill' }]);
  const id = run.requiredActions[0]?.id ?? '';
  await runs.answer(addressOf(start), { kind: 'approval', id, approve: true, by: person('alice') });
  expect((await settle(start)).result).toContain('Deploy.');
});

test('a yes is for the revision that was shown: other bytes are another question', async () => {
  const start = parentBy(using('moves'));
  const asked = async () => (await settle(start)).requiredActions[0];
  const first = await asked();
  expect(first).toMatchObject({ skill: { name: 'moves', layer: 'org' }, run: start.id });
  const token = await tokenFor(organisation);
  const body = { files: [{ path: 'SKILL.md', text: skillText('moves', '', 'Otherwise.\n') }] };
  expect((await call('PUT', '/v1/layers/org/skills/moves', { token, body })).status).toBeLessThan(300);
  const yes = { kind: 'approval', approve: true, by: person('alice') } as const;
  await runs.answer(addressOf(start), { ...yes, id: first?.id ?? '' });
  const second = await asked();
  expect(second?.id).not.toBe(first?.id);
  expect(second?.skill?.revision).not.toBe(first?.skill?.revision);
  await runs.answer(addressOf(start), { ...yes, id: second?.id ?? '' });
  expect((await settle(start)).result).toContain('Otherwise.');
});

/** By their depth: a run that uses `outer`, which uses `clean`, which has no model. */
function twoBelow(): RunStart {
  useDependencies({
    model: ({ skill, steps }) =>
      skill.name === 'clean' ? runbook(steps) : using(skill.name === 'outer' ? 'clean' : 'outer'),
    now: () => now,
    nested,
  });
  return startOf({ organisation, model: A_MODEL, tools: TOOLS });
}
let now = Date.now();

/** Wakes everything down to the deepest run. */
async function settleDeep(start: RunStart): Promise<RunView> {
  await runs.start(start);
  for (let wakes = 0; wakes < 60; wakes += 1) {
    const run = await view(start);
    if (run.status !== 'running') return run;
    let level = [start.id];
    while (level.length > 0) {
      const below: string[] = [];
      for (const id of level) {
        await runDurableObjectAlarm(env.RUN.getByName(`${organisation}/${id}`));
        const read = await runs.read({ organisation, id, boundTo: null });
        if (read.ok) below.push(...childrenOf(read.value));
      }
      level = below;
    }
  }
  throw new Error('the run did not end');
}

test('what a run two below waits for is shown, told and answered at the first one', async () => {
  now = Date.now();
  const start = twoBelow();
  const run = await settleDeep(start);
  expect(run.status).toBe('requires_action');
  const [action] = run.requiredActions;
  expect(action).toMatchObject({ kind: 'approval', tool: 'Bash', input: 'rm -f x; echo clean' });
  expect(action?.id).toMatch(/^act_2_2_\d+$/);
  expect(action?.run).not.toBe(start.id);
  await runDurableObjectAlarm(stubOf(start));
  await runDurableObjectAlarm(stubOf(start));
  const page = await runs.events(addressOf(start), 0, 100, 0);
  const waiting = page.ok ? page.value.events.filter(({ type }) => type === 'run.waiting') : [];
  expect(waiting).toMatchObject([{ action: action?.id, run: action?.run, tool: 'Bash' }]);
  // Longer than the run may work: nobody works meanwhile.
  now += start.limits.milliseconds * 2;
  const given = { kind: 'approval', id: action?.id ?? '', approve: true, by: person('alice') } as const;
  const bound = await runs.answer(addressOf(start, ['user:bob']), given);
  expect(bound).toMatchObject({ error: { code: 'run_unknown' } });
  expect(await runs.answer(addressOf(start), given)).toMatchObject({ ok: true });
  expect(await runs.answer(addressOf(start), given)).toMatchObject({ ok: true });
  for (const id of ['act_2_2_99', 'act_1_2_3', 'act_2', 'act_2_2_2_2'])
    expect(await runs.answer(addressOf(start), { ...given, id })).toMatchObject({
      error: { code: 'run_not_waiting' },
    });
  const done = await settleDeep(start);
  expect(done).toMatchObject({ status: 'succeeded', result: 'clean\n' });
  expect(done.waitedMilliseconds).toBeGreaterThanOrEqual(start.limits.milliseconds * 2);
});

test('a result from below that is long is cut, and all of it stays readable', async () => {
  const run = await settle(parentBy(using('long')));
  expect(run.result).toMatch(/more characters were cut; all of it can be read in \/tmp\/outputs\/2\.txt\]/);
});

test('a skill that is denied is in the audit log, once a minute', async () => {
  const again = scripted(calls(['Skill', { skill: 'secret' }], ['Skill', { skill: 'secret' }]), says('end'));
  const start = parentBy(again);
  await settle(start);
  await runDurableObjectAlarm(stubOf(start));
  const page = await env.ORG.getByName(`o/${organisation}`).auditPage(`o/${organisation}`, 0, 100);
  const records = (page?.lines ?? []).map((line) => AuditRecord.parse(JSON.parse(line)));
  const ours = records.filter(({ act, subject }) => act === 'skill_denied' && subject === 'org/secret');
  expect(ours).toMatchObject([
    { subject: 'org/secret', details: { rule: 'Skill(secret)', ruleLayer: 'organisation' } },
  ]);
});

test('where no run may begin below, the run ends', async () => {
  const run = await settle(parentBy(using('count'), { limits: lowestLimits({ depth: 0 }) }));
  expect(run).toMatchObject({ status: 'stopped', stopReason: 'depth_limit' });
});

test('without the tool in what is declared and granted, no skill is used', async () => {
  const tools = { declared: ['Bash'], granted: ['Skill', 'Bash'], missing: [] };
  const run = await settle(parentBy(using('count'), { tools }));
  expect(run.steps[1]?.exitCode).toBe(126);
});

test('what a run below used counts above, and it has no more than what is left', async () => {
  const start = startOf({
    organisation,
    model: A_MODEL,
    tools: TOOLS,
    limits: lowestLimits({ tokens: 1000 }),
  });
  useDependencies({
    model: ({ parent }) =>
      parent === null
        ? scripted({ ...calls(['Skill', { skill: 'count' }]), usage: used(100, 0) }, says('end'))
        : scripted(says('counted', { usage: used(300, 20) })),
  });
  const run = await settle(start);
  expect(run.usage.tokens).toEqual({ small: { input: 400, cacheRead: 0, cacheWrite: 0, output: 20 } });
  const below = await runs.read({ organisation, id: childrenOf(run)[0] ?? '', boundTo: null });
  expect(below).toMatchObject({ ok: true, value: { limits: { tokens: 900 } } });
});

test('cancelling a run cancels what it waits for', async () => {
  const start = parentBy(using('count'));
  await runs.start(start);
  for (let wakes = 0; wakes < 3; wakes += 1) await runDurableObjectAlarm(stubOf(start));
  const [child = ''] = childrenOf(await view(start));
  await runs.cancel(addressOf(start), null);
  const below = await runs.read({ organisation, id: child, boundTo: null });
  expect(below).toMatchObject({ ok: true, value: { status: 'cancelled' } });
});

test('a run that was started below while the one above was cancelled is cancelled as well', async () => {
  const start = parentBy(using('count'));
  let child = '';
  useDependencies({
    model: ({ parent, steps }) => (parent === null ? using('count') : runbook(steps)),
    nested: {
      ...nested,
      runs: {
        ...runs,
        start: async (wanted) => {
          const begun = await runs.start(wanted);
          child = wanted.id;
          await runs.cancel(addressOf(start), null);
          return begun;
        },
      },
    },
  });
  await runs.start(start);
  for (let wakes = 0; wakes < 3; wakes += 1) await runDurableObjectAlarm(stubOf(start));
  expect((await view(start)).status).toBe('cancelled');
  const below = await runs.read({ organisation, id: child, boundTo: null });
  expect(below).toMatchObject({ ok: true, value: { status: 'cancelled' } });
});

/** Where the run above dies: when it has started one below and could not note it, or when it is about to cancel it. */
const DEATHS = [
  [
    'started',
    (trap: Trap): Partial<RunDependencies> => ({
      nested: {
        ...nested,
        runs: {
          ...runs,
          start: async (wanted) => {
            const begun = await runs.start(wanted);
            await trap.wait();
            return begun;
          },
        },
      },
    }),
  ],
  [
    'about to cancel',
    (trap: Trap): Partial<RunDependencies> => ({
      nested,
      runs: {
        ...runs,
        cancel: async (address, by) => {
          await trap.wait();
          return runs.cancel(address, by);
        },
      },
    }),
  ],
] as const;

test.each(DEATHS)(
  'a run whose parent dies having it %s, and is cancelled, does not run on',
  async (_, deathly) => {
    const trap = new Trap();
    const start = parentBy(using('count'));
    useDependencies({
      model: ({ parent, steps }) => (parent === null ? using('count') : runbook(steps)),
      ...deathly(trap),
    });
    await runs.start(start);
    for (let wakes = 0; wakes < 3 && !trap.sprung; wakes += 1) {
      const woken = runDurableObjectAlarm(stubOf(start)).catch(() => false);
      while (!trap.sprung && !(await Promise.race([woken, scheduler.wait(5).then(() => null)])));
    }
    const cancelled = runs.cancel(addressOf(start), null);
    while (!trap.sprung) await scheduler.wait(5);
    await abortAllDurableObjects();
    await cancelled;
    await runs.cancel(addressOf(start), null);
    for (let wakes = 0; wakes < 2; wakes += 1) await runDurableObjectAlarm(stubOf(start));
    expect((await view(start)).status).toBe('cancelled');
    const below = await runs.read({ organisation, id: idBelow(start.id, 1), boundTo: null });
    expect(below).toMatchObject({ ok: true, value: { status: 'cancelled' } });
  },
);
