import type { RequiredAction } from '../invoke/run-contract.ts';
import { subjectOf } from '../tool/toolbox.ts';
import type { StepRow } from './journal.ts';
import type { Action } from './standing.ts';
import type { StoredStart } from './stored-start.ts';

export function actionId(step: number): string {
  return `act_${step}`;
}

/** What a run waits for; null where it waits for nobody outside. */
export function requiredAction(
  { waitMilliseconds }: StoredStart,
  next: Action,
  open: StepRow | undefined,
): RequiredAction | null {
  if (next.kind !== 'wait' || open?.kind !== 'wait' || next.pending.for === 'child') return null;
  const { call, pending } = next;
  return {
    id: actionId(open.sequence),
    kind: pending.for,
    call: call.id,
    tool: call.tool,
    input: subjectOf(call),
    reason: pending.for === 'approval' ? pending.reason : null,
    askedAt: new Date(open.startedAt).toISOString(),
    until: new Date(open.startedAt + waitMilliseconds).toISOString(),
  };
}
