import { z } from 'zod';
import { POLICY_LIMITS } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import type { PolicyRule } from '../../policy/rule.ts';
import { CallRule, signRules } from '../../policy/written-rule.ts';
import { type Principal, requireScope } from '../../view/principal.ts';

/** As they stand in a body. */
export const CallRules = z.array(CallRule).max(POLICY_LIMITS.callRules).optional();

/** The rules that a call brings for itself. Anybody may restrict; to allow something takes an approver, who is no agent. */
export function callRules(principal: Principal, rules: z.infer<typeof CallRules>): Result<PolicyRule[]> {
  if (rules === undefined || rules.length === 0) return ok([]);
  const refused = rules.some(({ effect }) => effect === 'allow') ? mayAllow(principal) : null;
  if (refused) return fail({ ...refused, at: 'rules' });
  return ok(signRules(rules, [], 'call', principal.label, Date.now()));
}

function mayAllow(principal: Principal): Problem | null {
  const refused = requireScope(principal, 'decisions:approve');
  return (
    refused && {
      ...refused,
      hint: 'Leave out the rules that allow something: they take a person who may decide.',
    }
  );
}
