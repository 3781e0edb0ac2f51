import type { RunEnded } from '../invoke/event.ts';
import type { RunUsage, StopReason } from '../invoke/runs/run-contract.ts';
import type { RunRow } from './journal.ts';
import type { StoredStart } from './stored-start.ts';

/** The event of a run's end. */
export function runEnded(
  { id, skill, agent, model, parent }: StoredStart,
  { turns, toolCalls, tokens, cost }: RunUsage,
  { createdAt, endedAt }: RunRow,
  stopReason: StopReason,
): RunEnded {
  const sums = Object.values(tokens).map((each) =>
    Object.values(each).reduce((sum, count) => sum + count, 0),
  );
  return {
    kind: 'run_ended',
    skill: skill.name,
    layer: skill.layer,
    revision: skill.revision,
    run: id,
    agent: agent.name,
    engine: model.engine,
    stopReason,
    turns,
    toolCalls,
    tokens: sums.reduce((sum, count) => sum + count, 0),
    cost,
    milliseconds: (endedAt ?? createdAt) - createdAt,
    nested: parent !== null,
  };
}
