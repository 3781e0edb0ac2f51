import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { RunStep, RunView } from '../invoke/run-contract.ts';
import type { ToolCall } from '../model/message.ts';
import type { WorkspaceStore } from '../sandbox/workspace-store.ts';
import { WORKSPACE_ROOT } from '../sandbox/workspace.ts';
import { subjectOf } from '../tool/toolbox.ts';
import type { StepRow } from './journal.ts';
import type { Outcome } from './outcome.ts';
import { requiredAction } from './required-action.ts';
import type { RunRecord } from './run-record.ts';
import { tellingOf } from './step-events.ts';

/** A run as its caller sees it, read from what is stored. */
export function runView(record: RunRecord): RunView {
  const { journal, workspace } = record;
  const { start, standing, next } = record.read();
  const run = journal.run();
  const steps = journal.steps();
  const outcomes = journal.outcomes();
  const { name, layer, revision } = start.skill;
  const open = steps.find(({ state }) => state === 'started');
  const action = run.endedAt === null ? requiredAction(start, next, open) : null;
  return {
    id: start.id,
    status: action === null ? run.status : 'requires_action',
    stopReason: run.stopReason,
    skill: { name, layer, revision },
    agent: start.agent.name,
    engine: start.model.engine,
    model: start.model.engine === 'runbook' ? null : start.model.model,
    tools: start.tools,
    limits: start.limits,
    requiredActions: action === null ? [] : [action],
    result: run.endedAt === null ? null : journal.result(),
    resultFormat: start.resultSchema === null ? 'text' : 'json',
    steps: steps.map((step, index) => stepView(step, outcomes[index], standing.callOf(index))),
    files: filesOf(workspace),
    usage: standing.usage.view(),
    createdAt: timestamp(run.createdAt),
    endedAt: run.endedAt === null ? null : timestamp(run.endedAt),
  };
}

function stepView(step: StepRow, outcome: Outcome | undefined, call: ToolCall | undefined): RunStep {
  const { sequence, kind, state, attempts, startedAt, endedAt } = step;
  const { output, exitCode } = outcome === undefined ? {} : tellingOf(outcome);
  return {
    sequence,
    kind,
    state,
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
