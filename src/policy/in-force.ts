import type { PolicyRule } from './rule.ts';

/** The rules that count at a moment, and until when (Unix milliseconds) that stays so. */
export function rulesInForce<Rule extends PolicyRule>(
  rules: readonly Rule[],
  now: number,
): { readonly rules: readonly Rule[]; readonly until: number } {
  let until = Number.POSITIVE_INFINITY;
  const counting = rules.filter(({ expires }) => {
    if (expires?.until !== 'time') return true;
    const end = Date.parse(expires.at);
    if (end <= now) return false;
    until = Math.min(until, end);
    return true;
  });
  return { rules: counting, until };
}

/**
 * Whether a rule counts for a skill of this revision. Where nobody knows the revision, what restricts counts and what
 * allows does not.
 */
export function countsFor({ effect, expires }: PolicyRule, revision: string | null): boolean {
  if (expires?.until !== 'revision') return true;
  return revision === null ? effect !== 'allow' : expires.revision === revision;
}
