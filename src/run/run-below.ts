import type { RunAddress } from '../invoke/runs/run-contract.ts';
import { SKILL_TOOL } from './nested-skills.ts';
import { idBelow, relatedRun } from './related-run.ts';
import type { RunReading } from './run-record.ts';

/** The run that this one waits for. */
export function awaitedRun({ start, next }: RunReading): RunAddress | null {
  return next.kind === 'wait' && next.pending.for === 'child' ? relatedRun(start, next.pending.child) : null;
}

/** That run, or the one that the step begun last may have started: nobody who died in between could note it. */
export function lastRunBelow(read: RunReading): RunAddress | null {
  const { start, standing, next } = read;
  if (next.kind === 'tool' && next.call.tool === SKILL_TOOL)
    return relatedRun(start, idBelow(start.id, standing.steps));
  return awaitedRun(read);
}
