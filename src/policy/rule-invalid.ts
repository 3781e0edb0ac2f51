import type { Problem } from '../core/problem.ts';

/** The one way to say that a pattern cannot be read. */
export function ruleInvalid(detail: string, hint: string): Problem {
  return { code: 'rule_invalid', detail, hint };
}
