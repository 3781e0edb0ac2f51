import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { RequiredAction } from '../invoke/runs/run-contract.ts';
import type { RunEventBody } from '../invoke/runs/run-event.ts';
import type { ToolResult } from '../model/message.ts';
import { subjectOf } from '../tool/toolbox.ts';
import { actionId, belowId } from './required-action.ts';
import type { Outcome, Pending } from './outcome.ts';
import type { Action } from './standing.ts';

type Step = Exclude<Action, { kind: 'end' }>;

export function stepStarted(step: number, attempt: number, action: Step): RunEventBody {
  const about = callOf(action);
  return {
    type: 'step.started',
    step,
    kind: action.kind,
    attempt,
    ...(about !== null && { tool: about.tool, input: shown(subjectOf(about)) }),
  };
}

/** Where a run waits for somebody outside: for whom, and until when, in Unix milliseconds. */
export function waitBegun(step: number, action: Step, until: number): RunEventBody[] {
  if (action.kind !== 'wait' || action.pending.for === 'child') return [];
  const { pending, call } = action;
  const fields = { step, action: actionId(step), kind: pending.for, tool: call.tool };
  return [{ type: 'run.waiting', ...fields, until: new Date(until).toISOString() }];
}

/** Where a run below this one waits; `step` is the one that waits for that run. */
export function waitBelow(step: number, { id, run, kind, tool, until }: RequiredAction): RunEventBody {
  return { type: 'run.waiting', step, action: belowId(step, id), run, kind, tool, until };
}

export function stepDone(step: number, kind: Step['kind'], outcome: Outcome): RunEventBody {
  const { output, exitCode } = tellingOf(outcome);
  return {
    type: 'step.done',
    step,
    kind,
    ...(output !== undefined && { output: shown(output) }),
    ...(exitCode !== undefined && { exitCode }),
  };
}

/** What people see of what a step gave. */
export function tellingOf(outcome: Outcome): { output?: string; exitCode?: number } {
  switch (outcome.kind) {
    case 'model':
    case 'compaction':
      return { output: outcome.reply.text };
    case 'tool':
      return ofResult(outcome.result);
    case 'pending':
      return { output: pendingText(outcome.pending) };
    case 'hook':
      return { output: outcome.block ?? withoutSuccess(outcome) };
    case 'wait': {
      const { answer } = outcome;
      if (answer.for !== 'approval') return ofResult(answer.result);
      const said = answer.approved ? 'allowed' : 'denied';
      return { output: answer.by === null ? 'nobody answered in time' : `${said} by ${answer.by}` };
    }
  }
}

/** Hooks that nobody ran, and those that failed: they stop nothing, and are not to go unseen. */
function withoutSuccess({ runs }: Extract<Outcome, { kind: 'hook' }>): string {
  const said = runs.flatMap(({ hook, reason, result }) => {
    if (reason !== null) return [`not run: ${hook}: ${reason}`];
    return result?.outcome === 'error' ? [`failed: ${hook}: ${result.reason?.trim() ?? ''}`] : [];
  });
  return cutText(said.join('; '), RUN_LIMITS.toolOutputCharacters);
}

function pendingText(pending: Pending): string {
  switch (pending.for) {
    case 'approval':
      return pending.reason;
    case 'tool_call':
      return 'the host makes this call';
    case 'child':
      return `started ${pending.child}`;
  }
}

function ofResult({ stdout, stderr, exitCode }: ToolResult) {
  return { output: stdout + stderr, exitCode };
}

function callOf(action: Step) {
  if (action.kind === 'tool' || action.kind === 'wait') return action.call;
  return action.kind === 'hook' ? (action.about?.call ?? null) : null;
}

function shown(text: string): string {
  return cutText(text, RUN_LIMITS.eventCharacters);
}
