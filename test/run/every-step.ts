/** A run that takes every kind of step, and a world for it that tells nothing apart but what it should. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { z } from 'zod';
import { ok } from '../../src/core/result.ts';
import type { RunStart, RunView } from '../../src/invoke/runs/run-contract.ts';
import { productionDependencies, type RunDependencies } from '../../src/run/dependencies.ts';
import { runbook } from '../../src/run/runbook.ts';
import type { Tool } from '../../src/tool/tool.ts';
import { A_MODEL, bashCall, calls, says, scripted, used } from './scripted.ts';
import { addressOf, person, runs, startOf, stubOf, view } from './support.ts';

/** Where runs that have these numbers have told the world of them. */
export const sent = new Map<string, number>();
/** Shut, it hangs inside of the tool, after it has told the world. */
export const trap = { shut: false };

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

export function everyStepDependencies(): Partial<RunDependencies> {
  const plain = productionDependencies(env);
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
      const own = plain.tools(start);
      return {
        specs: () => own.specs(),
        find: async (name) => (name === 'Send' ? sendTool : own.find(name)),
      };
    },
  };
}
export function everyStepStart(organisation: string): RunStart {
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
export async function advance(start: RunStart): Promise<void> {
  const run = await view(start);
  const [action] = run.requiredActions;
  const id = action?.id ?? '';
  if (action?.kind === 'approval')
    await runs.answer(addressOf(start), { kind: 'approval', id, approve: true, by: person('alice') });
  else if (action)
    await runs.answer(addressOf(start), { kind: 'tool_call', id, output: 'y', isError: false });
  else await runDurableObjectAlarm(stubOf(start));
  for (const child of childrenOf(run))
    await runDurableObjectAlarm(env.RUN.getByName(`${start.organisation}/${child}`));
}

function childrenOf(run: RunView): string[] {
  return run.steps.flatMap(({ output }) => /^started (run_\w+)$/.exec(output ?? '')?.[1] ?? []);
}

export async function toTheEnd(start: RunStart): Promise<RunView> {
  for (let moves = 0; moves < 100; moves += 1) {
    const run = await view(start);
    if (run.endedAt !== null) return run;
    await advance(start);
  }
  throw new Error('the run did not end');
}
