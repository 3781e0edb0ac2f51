import { z } from 'zod';
import { POLICY_LIMITS } from '../core/limits.ts';

/** Who a rule speaks for. All layers are looked at together: deny, then ask, then allow. */
export const RuleLayer = z.enum(['deployment', 'organisation', 'project', 'user', 'session', 'call']);
export type RuleLayer = z.infer<typeof RuleLayer>;

export const Effect = z.enum(['deny', 'ask', 'allow']);
export type Effect = z.infer<typeof Effect>;

/** One rule as it is stored and sent: `Bash(git diff:*)` with what it does and for whom. */
export const PolicyRule = z.strictObject({
  effect: Effect,
  pattern: z.string().min(1).max(POLICY_LIMITS.ruleCharacters),
  layer: RuleLayer,
  reason: z.string().max(500).optional(),
});
export type PolicyRule = z.infer<typeof PolicyRule>;
