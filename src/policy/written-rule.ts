import { z } from 'zod';
import { POLICY_LIMITS } from '../core/limits.ts';
import { parsePattern, readableTool } from './pattern.ts';
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
/** For a project, a user or the organisation. May be sent as it was read; what is known of it counts, not what it says. */
export const LastingRule = Written.extend({
  ...PolicyRule.pick({ layer: true, by: true, since: true }).partial().shape,
  expires: LastingExpiry.optional(),
})
  .superRefine(ofSkill)
  .transform(({ layer: _layer, by: _by, since: _since, ...rule }) => rule);
export type LastingRule = z.infer<typeof LastingRule>;
/** For a session, with which it ends at the latest. */
export const SessionRule = Written.extend({ expires: Expiry.optional() }).superRefine(ofSkill);
export type SessionRule = z.infer<typeof SessionRule>;

type WrittenRule = z.infer<typeof Written> & { readonly expires?: Expiry | undefined };

/** Only skills have revisions. */
function ofSkill({ pattern, expires }: WrittenRule, context: z.RefinementCtx): void {
  if (expires?.until !== 'revision' || readableTool(pattern) === 'Skill') return;
  context.addIssue({ code: 'custom', message: 'only a rule about a skill ends with a revision' });
}

/**
 * Sent rules with what the token and the call say of them, each once. One that was there before stays as it was: whoever
 * sends a list again has not written what is in it.
 */
export function signRules(
  sent: readonly WrittenRule[],
  before: readonly PolicyRule[],
  layer: RuleLayer,
  by: string,
  now: number,
): PolicyRule[] {
  const known = new Map(before.map((rule) => [identityOf(rule), rule]));
  const since = new Date(now).toISOString();
  const signed = sent.map((rule): [string, PolicyRule] => {
    const identity = identityOf(rule);
    return [identity, known.get(identity) ?? { ...rule, layer, by, since }];
  });
  return [...new Map(signed).values()];
}

function identityOf({ effect, pattern, reason, expires }: WrittenRule): string {
  return JSON.stringify([
    effect,
    pattern,
    reason ?? null,
    expires ? Object.entries(expires).toSorted() : null,
  ]);
}
