import { RUN_LIMITS } from '../core/limits.ts';
import type { RunStep, RunView } from '../invoke/run-contract.ts';
import { cutText } from '../core/cut-text.ts';
import type { Journal, StepRow } from './journal.ts';
import { type Outcome, standingOf } from './loop.ts';
import type { ToolCall } from '../model/message.ts';
import { subjectOf } from './tools.ts';
import { WORKSPACE_ROOT } from './workspace.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** A run as its caller sees it, read from what is stored. */
export function runView(journal: Journal, workspace: WorkspaceStore): RunView {
  const run = journal.run();
  const start = journal.start();
  const outcomes = journal.outcomes();
  const { usage, calls } = standingOf(start.prompt, outcomes);
  const { name, layer, revision } = start.skill;
  return {
    id: start.id,
    status: run.status,
    stopReason: run.stopReason,
    skill: { name, layer, revision },
    engine: start.engine,
    model: start.model.engine === 'runbook' ? null : start.model.model,
    tools: start.tools,
    result: run.endedAt === null ? null : journal.result(),
    steps: journal.steps().map((step, index) => stepView(step, outcomes[index], calls.get(index))),
    files: filesOf(workspace),
    usage,
    createdAt: timestamp(run.createdAt),
    endedAt: run.endedAt === null ? null : timestamp(run.endedAt),
  };
}

function stepView(step: StepRow, outcome: Outcome | undefined, call: ToolCall | undefined): RunStep {
  const { sequence, kind, state, attempts, startedAt, endedAt } = step;
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
    ...(outcome?.kind === 'model' && {
      output: cutText(outcome.reply.text, RUN_LIMITS.toolOutputCharacters),
    }),
    ...(outcome?.kind === 'tool' && {
      output: outcome.result.stdout + outcome.result.stderr,
      exitCode: outcome.result.exitCode,
    }),
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
