import type { RunStatus, StopReason } from '../invoke/run-contract.ts';

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
