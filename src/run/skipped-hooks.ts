import type { RunHook, SkippedHook } from '../invoke/runs/run-contract.ts';
import type { Outcome } from './outcome.ts';

/** Hooks that events fired and nobody ran, each with its reason, in the order in which that happened first. */
export function skippedHooks(hooks: readonly RunHook[], outcomes: readonly Outcome[]): SkippedHook[] {
  const skipped = new Map<string, SkippedHook>();
  const runs = outcomes.flatMap((outcome) => (outcome.kind === 'hook' ? outcome.runs : []));
  for (const { hook, reason } of runs) {
    const known = hooks.find((each) => each.hook === hook);
    if (known === undefined || reason === null) continue;
    const { event, matcher, action } = known;
    const key = JSON.stringify([hook, reason]);
    const times = (skipped.get(key)?.times ?? 0) + 1;
    skipped.set(key, { hook, event, type: action.type, matcher, reason, times });
  }
  return [...skipped.values()];
}
