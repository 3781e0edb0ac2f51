import type { RunStatus, ShownStatus, StopReason } from '../invoke/runs/run-contract.ts';
import type { Action } from './standing.ts';

/** What became of a run that ended for this reason. */
export function statusOf(stopReason: StopReason): Exclude<RunStatus, 'running'> {
  switch (stopReason) {
    case 'completed':
      return 'succeeded';
    case 'cancelled':
      return 'cancelled';
    case 'turn_limit':
    case 'tool_call_limit':
    case 'token_limit':
    case 'cost_limit':
    case 'wall_time_limit':
    case 'depth_limit':
    case 'workspace_limit':
    case 'output_limit':
    case 'repeated_call':
      return 'stopped';
    default:
      return 'failed';
  }
}

/** What a run that goes on is doing. `below`: what the run that it waits for says of itself, where there is one. */
export function statusBefore(next: Action, below: ShownStatus | null): ShownStatus {
  if (next.kind !== 'wait') return 'running';
  return next.pending.for !== 'child' || below === 'requires_action' ? 'requires_action' : 'running';
}
