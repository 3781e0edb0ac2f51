import { z } from 'zod';
import { SKILL_LIMITS } from '../core/limits.ts';
import { isPlainText } from '../core/plain-text.ts';

/** What a skill can need of its host: variables, programs, tools, servers and settings by name, and other skills. */
export const RequirementKind = z.enum(['bins', 'env', 'tools', 'mcpServers', 'config', 'skills']);
export type RequirementKind = z.infer<typeof RequirementKind>;

/** One thing that a skill does not work without; where it has several names, one of them is enough. */
export const Requirement = z.strictObject({
  kind: RequirementKind,
  oneOf: z
    .array(
      z
        .string()
        .min(1)
        .max(SKILL_LIMITS.requirementCharacters)
        .refine(isPlainText, 'names have no control characters'),
    )
    .min(1)
    .max(SKILL_LIMITS.requirementAlternatives),
});
export type Requirement = z.infer<typeof Requirement>;

/** The first requirements, as many as fit: a listing that shows fewer hides nothing. */
export function firstRequirements(
  requirements: readonly Requirement[],
  count: number,
  characters: number,
): Requirement[] {
  const kept: Requirement[] = [];
  let left = characters;
  for (const requirement of requirements.slice(0, count)) {
    for (const name of requirement.oneOf) left -= name.length;
    if (left < 0) break;
    kept.push(requirement);
  }
  return kept;
}
