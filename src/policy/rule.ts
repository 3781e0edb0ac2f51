import { z } from 'zod';
import { isDigest } from '../core/digest.ts';
import { POLICY_LIMITS } from '../core/limits.ts';

/** Who a rule speaks for. All layers are looked at together: deny, then ask, then allow. */
export const RuleLayer = z.enum(['deployment', 'organisation', 'project', 'user', 'session', 'call']);
export type RuleLayer = z.infer<typeof RuleLayer>;

export const Effect = z.enum(['deny', 'ask', 'allow']);
export type Effect = z.infer<typeof Effect>;

const TimeExpiry = z.strictObject({ until: z.literal('time'), at: z.iso.datetime() });
const RevisionExpiry = z.strictObject({
  until: z.literal('revision'),
  revision: z.string().refine(isDigest),
});
/** How long a rule can count that no session holds. */
export const LastingExpiry = z.discriminatedUnion('until', [TimeExpiry, RevisionExpiry]);
/** Until when a rule counts: a moment, other bytes of the skill, or the end of a turn or a session. */
export const Expiry = z.discriminatedUnion('until', [
  TimeExpiry,
  RevisionExpiry,
  z.strictObject({ until: z.literal('turn') }),
  z.strictObject({ until: z.literal('session') }),
]);
export type Expiry = z.infer<typeof Expiry>;

/** One rule as it is stored: `Bash(git diff:*)` with what it does, for whom, for how long, by whom and why. */
export const PolicyRule = z.strictObject({
  effect: Effect,
  pattern: z.string().min(1).max(POLICY_LIMITS.ruleCharacters),
  layer: RuleLayer,
  reason: z.string().max(POLICY_LIMITS.reasonCharacters).optional(),
  expires: Expiry.optional(),
  /** The label of the token that wrote it, and when: never what a body says. */
  by: z.string().max(100).optional(),
  since: z.iso.datetime().optional(),
});
export type PolicyRule = z.infer<typeof PolicyRule>;
