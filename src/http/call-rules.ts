import type { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { type CallRule, signRules } from '../policy/written-rule.ts';
import { type Principal, requireScope } from '../view/principal.ts';

/** The rules that a call brings for itself. Anybody may restrict; to allow something takes an approver. */
export function callRules(
  principal: Principal,
  rules: readonly z.infer<typeof CallRule>[] | undefined,
): Result<PolicyRule[]> {
  if (rules === undefined || rules.length === 0) return ok([]);
  const allows = rules.some(({ effect }) => effect === 'allow');
  const refused = allows ? requireScope(principal, 'decisions:approve') : null;
  if (refused)
    return fail({ ...refused, at: 'rules', detail: `${refused.detail}, which rules that allow need` });
  return ok(signRules(rules, [], 'call', principal.label, Date.now()));
}
