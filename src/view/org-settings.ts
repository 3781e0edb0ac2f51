import { z } from 'zod';
import { FlagName } from '../catalog/merkle-catalog.ts';
import { LISTING_LIMITS, POLICY_LIMITS } from '../core/limits.ts';
import { PrecedenceName } from '../catalog/precedence.ts';
import { parsePattern } from '../policy/pattern.ts';

const Pattern = z
  .string()
  .max(POLICY_LIMITS.ruleCharacters)
  .superRefine((text, context) => {
    const parsed = parsePattern(text);
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.error.detail });
  });

const Patterns = z.array(Pattern).max(POLICY_LIMITS.rules).default([]);

const StatedName = z.string().min(1).max(LISTING_LIMITS.statedNameCharacters);

/**
 * - `pinned`: ranks first and keeps its text longest; `auto`: as its author says; `name-only`: listed without text.
 * - `manual`: not listed to models, but there for who knows its name; `off`: neither listed nor found.
 */
export const SkillState = z.enum(['pinned', 'auto', 'name-only', 'manual', 'off']);
export type SkillState = z.infer<typeof SkillState>;

/** What an organisation can set. One schema, versioned; every part has a default, so that `{}` is the defaults. */
export const OrgSettings = z.strictObject({
  version: z.literal(1).default(1),
  listing: z
    .strictObject({
      /** Share of the context window that the listing may take. */
      budgetFraction: z.number().positive().max(1).default(LISTING_LIMITS.budgetFraction),
      /** Budget in characters where the window is unknown. */
      fallbackCharacters: z
        .int()
        .nonnegative()
        .max(LISTING_LIMITS.budget)
        .default(LISTING_LIMITS.fallbackCharacters),
      /** Cap of one entry's text, in characters. */
      entryCharacters: z.int().min(1).max(10_000).default(LISTING_LIMITS.entryCharacters),
    })
    .prefault({}),
  bundled: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Names of bundled skills that are switched off one by one. */
      off: z.array(z.string().max(200)).max(1000).default([]),
    })
    .prefault({}),
  /** Skills by name, or `layer/name`, with where they stand; the layer's word comes first. */
  states: z
    .record(StatedName, SkillState)
    .refine((states) => Object.keys(states).length <= LISTING_LIMITS.statedSkills, 'too many skills')
    .default({}),
  /** Feature flags that are on for this organisation, beside those of the deployment. */
  flags: z.array(FlagName).max(100).default([]),
  /** Whose order of layers says which of two namesakes has the bare name. */
  precedence: PrecedenceName.default('skilledge'),
  /** Rules of the organisation, such as `Bash(git diff:*)`. Looked at as deny, then ask, then allow. */
  permissions: z.strictObject({ deny: Patterns, ask: Patterns, allow: Patterns }).prefault({}),
});
export type OrgSettings = z.infer<typeof OrgSettings>;

export const DEFAULT_SETTINGS: OrgSettings = OrgSettings.parse({});
