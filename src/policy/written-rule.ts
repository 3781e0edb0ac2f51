import { z } from 'zod';
import { POLICY_LIMITS } from '../core/limits.ts';
import { parsePattern } from './pattern.ts';
import { Expiry, LastingExpiry, PolicyRule, type RuleLayer } from './rule.ts';

/** A pattern that can be read. What cannot is refused where it is written, not found out where it should have helped. */
export const RulePattern = z
  .string()
  .max(POLICY_LIMITS.ruleCharacters)
  .superRefine((text, context) => {
    const parsed = parsePattern(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.error.detail });
  });

const Written = PolicyRule.pick({ effect: true, reason: true }).extend({ pattern: RulePattern });

/** A rule as it is sent for one call. Its layer and its author follow from the call, as for all that are sent. */
export const CallRule = Written;
/** For a project, a user or the organisation. */
export const LastingRule = Written.extend({ expires: LastingExpiry.optional() }).superRefine(ofSkill);
/** For a session, with which it ends at the latest. */
export const SessionRule = Written.extend({ expires: Expiry.optional() }).superRefine(ofSkill);

type WrittenRule = z.infer<typeof Written> & { readonly expires?: Expiry | undefined };

/** Only skills have revisions. */
function ofSkill({ pattern, expires }: WrittenRule, context: z.RefinementCtx): void {
  if (expires?.until !== 'revision' || /^\s*Skill\b/.test(pattern)) return;
  context.addIssue({ code: 'custom', message: 'only a rule about a skill ends with a revision' });
}

/** A sent rule with what the token and the call say of it. */
export function signRule(rule: WrittenRule, layer: RuleLayer, by: string, now: number): PolicyRule {
  return { ...rule, layer, by, since: new Date(now).toISOString() };
}
