import { canonicalJson } from '../core/canonical-json.ts';
import type { RequiredAction, RunView } from '../invoke/runs/run-contract.ts';
import { subjectOf } from '../tool/toolbox.ts';
import type { StepRow } from './journal.ts';
import type { Action } from './standing.ts';
import type { StoredStart } from './stored-start.ts';

export function actionId(step: number): string {
  return `act_${step}`;
}

/** The id here of an action of the run below that this step waits for. */
export function belowId(step: number, action: string): string {
  return `${actionId(step)}${action.slice('act'.length)}`;
}

/** The step that an action belongs to, and its id in the run below that waits for it; null for what is no id. */
export function stepOf(action: string): { step: number; below: string | null } | null {
  const [, step, below = ''] = /^act_(\d{1,6})((?:_\d{1,6})*)$/.exec(action) ?? [];
  if (step === undefined) return null;
  return { step: Number(step), below: below === '' ? null : `act${below}` };
}

/** What a run waits for, or a run below it does, as far as that is known. */
export function requiredActions(
  { id, waitMilliseconds }: StoredStart,
  next: Action,
  open: StepRow | undefined,
  below: Pick<RunView, 'requiredActions'> | null,
): RequiredAction[] {
  if (next.kind !== 'wait' || open?.kind !== 'wait') return [];
  const { call, pending } = next;
  if (pending.for === 'child')
    return (below?.requiredActions ?? []).map((action) => ({
      ...action,
      id: belowId(open.sequence, action.id),
    }));
  const asked = pending.for === 'approval' ? pending : null;
  return [
    {
      id: actionId(open.sequence),
      run: id,
      kind: pending.for,
      call: call.id,
      tool: call.tool,
      // Who makes the call needs all of its input, whatever its name is elsewhere.
      input: asked === null ? canonicalJson(call.input) : subjectOf(call),
      reason: asked?.reason ?? null,
      skill: asked?.skill ?? null,
      askedAt: new Date(open.startedAt).toISOString(),
      until: new Date(open.startedAt + waitMilliseconds).toISOString(),
    },
  ];
}
