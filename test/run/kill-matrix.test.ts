/**
 * A run that takes every kind of step, killed at every boundary of its journal: evicted (memory lost) and aborted (memory
 * and everything uncommitted lost), between steps and inside of those that can be killed there. Whatever happens, the
 * transcript is the same, no row is lost or doubled, and a tool that is not idempotent has run once.
 */
import {
  abortAllDurableObjects,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ok } from '../../src/core/result.ts';
import type { RunEvent } from '../../src/invoke/run-event.ts';
import type { RunStart, RunView } from '../../src/invoke/run-contract.ts';
import type { RunDependencies } from '../../src/run/dependencies.ts';
import { runbook } from '../../src/run/runbook.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { A_MODEL, bashCall, calls, says, scripted, used } from './scripted.ts';
import { addressOf, runs, startOf, stubOf, useDependencies, view } from './support.ts';

let organisation = '';
beforeAll(async () => {
  organisation = newOrganisation();
  const body = 'Count.\n\n```bash\necho counted > n; cat n\n```\n';
  const tree = treeOf({ 'count/SKILL.md': skillText('count', 'context: fork\n', body) });
  await push(await tokenFor(organisation), 'org', tree);
});

/** Where runs that have these numbers have told the world of them. */
const sent = new Map<string, number>();
/** Shut, it hangs inside of the tool, after it has told the world. */
const trap = { shut: false };

const sendTool: Tool = {
  name: 'Send',
  idempotent: false,
  spec: async () => ({ name: 'Send', description: 'Sends', inputSchema: { type: 'object' } }),
  read: (input) => {
    const { to } = z.object({ to: z.string() }).parse(input);
    return ok({
      subject: to,
      async run() {
        sent.set(to, (sent.get(to) ?? 0) + 1);
        while (trap.shut) await scheduler.wait(5);
        return { stdout: 'sent\n', stderr: '', exitCode: 0 };
      },
    });
  },
};

const TURNS = (id: string) => [
  { ...calls(bashCall('echo one >> log'), ['Send', { to: id }]), usage: used(40, 10) },
  calls(
    bashCall('rm -f nothing; echo two >> log'),
    ['ask_host', { what: 'x' }],
    ['Skill', { skill: 'count' }],
  ),
  // Long enough to fill the window of this model, so that what follows is a compaction.
  calls(bashCall('seq 1 2000; cat log')),
  says('not yet JSON'),
  says('{"lines": 2}'),
];

function dependencies(): Partial<RunDependencies> {
  return {
    model: ({ id, parent, steps }) => {
      if (parent !== null) return runbook(steps);
      const turns = TURNS(id);
      return {
        name: 'scripted',
        async next(request, watch) {
          const [, summary] = request.messages;
          if (request.mayCall === false) return says('the log has two lines');
          const after = summary?.role === 'user' && summary.text.includes('the log has two lines');
          if (!after) return scripted(...turns).next(request, watch);
          return scripted(...turns.slice(3)).next(request, watch);
        },
      };
    },
    gate: () => (tool, subject) =>
      tool === 'Bash' && subject.startsWith('rm ')
        ? { decision: 'ask', reason: 'it removes' }
        : { decision: 'allow', reason: 'a test' },
    tools: (start) => {
      const own = PLAIN.tools(start);
      return {
        specs: () => own.specs(),
        find: async (name) => (name === 'Send' ? sendTool : own.find(name)),
      };
    },
  };
}
let PLAIN: RunDependencies;

beforeEach(async () => {
  const { productionDependencies } = await import('../../src/run/dependencies.ts');
  PLAIN = productionDependencies(env);
  trap.shut = false;
  useDependencies(dependencies());
});

function newStart(): RunStart {
  const tools = { declared: ['Bash', 'Send', 'Skill'], granted: ['Bash', 'Send', 'Skill'], missing: [] };
  const command = { type: 'command', command: 'exit 0', once: true } as const;
  const hook = { skill: 'steps', layer: 'org', matcher: null, pluginRoot: null, skillDirectory: null };
  return startOf({
    organisation,
    model: { ...A_MODEL, contextTokens: 4000 },
    tools,
    clientTools: [{ name: 'ask_host', description: '', inputSchema: { type: 'object' } }],
    settings: { hooks: { command: 'sandbox', http: 'host' }, events: { names: 'shown' } },
    hooks: [
      { ...hook, hook: 'start', event: 'SubagentStart', action: { type: 'command', command: 'exit 0' } },
      { ...hook, hook: 'before', event: 'PreToolUse', action: command },
      { ...hook, hook: 'after', event: 'PostToolUse', action: command },
      { ...hook, hook: 'stop', event: 'Stop', action: command },
    ],
    resultSchema: { type: 'object', required: ['lines'], properties: { lines: { type: 'integer' } } },
  });
}

/** Everything that happens from outside until the next step: an alarm, or what the run waits for. */
async function advance(start: RunStart): Promise<void> {
  const run = await view(start);
  const [action] = run.requiredActions;
  const id = action?.id ?? '';
  if (action?.kind === 'approval')
    await runs.answer(addressOf(start), { kind: 'approval', id, approve: true, by: 'alice' });
  else if (action)
    await runs.answer(addressOf(start), { kind: 'tool_call', id, output: 'y', isError: false });
  else await runDurableObjectAlarm(stubOf(start));
  for (const child of childrenOf(run))
    await runDurableObjectAlarm(env.RUN.getByName(`${organisation}/${child}`));
}

function childrenOf(run: RunView): string[] {
  return run.steps.flatMap(({ output }) => /^started (run_\w+)$/.exec(output ?? '')?.[1] ?? []);
}

async function toTheEnd(start: RunStart): Promise<RunView> {
  for (let moves = 0; moves < 100; moves += 1) {
    const run = await view(start);
    if (run.endedAt !== null) return run;
    await advance(start);
  }
  throw new Error('the run did not end');
}

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
