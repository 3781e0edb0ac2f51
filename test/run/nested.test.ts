/** Skills that a run uses: instructions for itself, or runs below it, which can do no more than it can. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { SkillEvent } from '../../src/invoke/event.ts';
import type { RunStart, RunView } from '../../src/invoke/run-contract.ts';
import type { Model } from '../../src/model/model.ts';
import { productionDependencies } from '../../src/run/dependencies.ts';
import { runbook } from '../../src/run/runbook.ts';
import { lowestLimits } from '../../src/view/run-limits.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { A_MODEL, calls, says, scripted, used } from './scripted.ts';
import { addressOf, runs, startOf, stubOf, useDependencies, view, type Wanted } from './support.ts';

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
      'manual/SKILL.md': skillText('manual', 'disable-model-invocation: true\n', 'Only people.\n'),
      'secret/SKILL.md': skillText('secret', '', 'No.\n'),
    }),
  );
  const permissions = { deny: ['Skill(secret)'], ask: ['Skill(deploy)'] };
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
  await runs.answer(addressOf(start), { kind: 'approval', id, approve: true, by: 'alice' });
  expect((await settle(start)).result).toContain('Deploy.');
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
  await runs.cancel(addressOf(start));
  const below = await runs.read({ organisation, id: child, boundTo: null });
  expect(below).toMatchObject({ ok: true, value: { status: 'cancelled' } });
});
