import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { RunStep, RunView } from '../invoke/runs/run-contract.ts';
import type { ToolCall } from '../model/message.ts';
import type { WorkspaceStore } from '../sandbox/workspace-store.ts';
import { WORKSPACE_ROOT } from '../sandbox/workspace.ts';
import { subjectOf } from '../tool/toolbox.ts';
import type { StepRow } from './journal.ts';
import type { Outcome } from './outcome.ts';
import { requiredActions } from './required-action.ts';
import type { RunRecord } from './run-record.ts';
import { skippedHooks } from './skipped-hooks.ts';
import type { Action } from './standing.ts';
import { tellingOf } from './step-events.ts';

/** A run as its caller sees it, read from what is stored. `below`: the run that it waits for, where that is known. */
export function runView(record: RunRecord, below: RunView | null, now: number): RunView {
  const { journal, workspace } = record;
  const { start, standing, next } = record.read();
  const run = journal.run();
  const steps = journal.steps();
  const outcomes = journal.outcomes();
  const { name, layer, revision } = start.skill;
  const open = steps.find(({ state }) => state === 'started');
  const actions = run.endedAt === null ? requiredActions(start, next, open, below) : [];
  return {
    id: start.id,
    status: actions.length === 0 ? run.status : 'requires_action',
    stopReason: run.stopReason,
    skill: { name, layer, revision },
    agent: start.agent.name,
    engine: start.model.engine,
    model: start.model.engine === 'runbook' ? null : start.model.model,
    tools: start.tools,
    limits: start.limits,
    requiredActions: actions,
    hooksNotRun: skippedHooks(start.hooks, outcomes),
    result: run.endedAt === null ? null : journal.result(),
    resultFormat: start.resultSchema === null ? 'text' : 'json',
    steps: steps.map((step, index) => stepView(step, outcomes[index], standing.callOf(index), run.endedAt)),
    files: filesOf(workspace),
    usage: standing.usage.view(),
    waitedMilliseconds: run.waited + (run.endedAt === null ? waitingNow(next, open, below, now) : 0),
    createdAt: timestamp(run.createdAt),
    endedAt: run.endedAt === null ? null : timestamp(run.endedAt),
  };
}

function waitingNow(next: Action, open: StepRow | undefined, below: RunView | null, now: number): number {
  if (next.kind !== 'wait' || open === undefined) return 0;
  return next.pending.for === 'child' ? (below?.waitedMilliseconds ?? 0) : now - open.startedAt;
}

function stepView(
  step: StepRow,
  outcome: Outcome | undefined,
  call: ToolCall | undefined,
  runEndedAt: number | null,
): RunStep {
  const { sequence, kind, attempts, startedAt } = step;
  const { output, exitCode } = outcome === undefined ? {} : tellingOf(outcome);
  const endedAt = step.endedAt ?? runEndedAt;
  return {
    sequence,
    kind,
    state: step.state === 'started' && runEndedAt !== null ? 'stopped' : step.state,
    attempts,
    startedAt: timestamp(startedAt),
    ...(call !== undefined && {
      tool: call.tool,
      input: cutText(subjectOf(call), RUN_LIMITS.toolOutputCharacters),
    }),
    // What tools answer is cut before it is stored.
    ...(output !== undefined && {
      output: outcome?.kind === 'model' ? cutText(output, RUN_LIMITS.toolOutputCharacters) : output,
    }),
    ...(exitCode !== undefined && { exitCode }),
    ...(endedAt !== null && { endedAt: timestamp(endedAt) }),
  };
}

function filesOf(workspace: WorkspaceStore): RunView['files'] {
  const prefix = `${WORKSPACE_ROOT}/`;
  return workspace
    .entries()
    .filter(({ type, path }) => type === 'file' && path.startsWith(prefix))
    .map(({ path, size }) => ({ path: path.slice(prefix.length), size }));
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
