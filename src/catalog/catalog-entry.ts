import { z } from 'zod';
import { SKILL_LIMITS } from '../core/limits.ts';
import { DigestSchema } from './revision.ts';
import { isPlainText } from '../core/plain-text.ts';

/** A catalog name: the skill's own, or `dir:name` where several skills of one layer have the same. */
export const EntryName = z
  .string()
  .min(1)
  .max(SKILL_LIMITS.nameCharactersHard + 1 + SKILL_LIMITS.pathBytes)
  .refine(isPlainText, 'names have no control characters');

/**
 * One row of a layer's catalog: what listing, decision and lookup need without opening anything else. All but `name` and
 * `origins` follows from the revision and its report, and is checked against them when it is published.
 */
export const CatalogEntry = z.strictObject({
  name: EntryName,
  revision: DigestSchema,
  report: DigestSchema,
  /** The SKILL.md itself, so that a body is one read away from the shard. */
  skillFile: z.strictObject({ sha256: DigestSchema, size: z.int().nonnegative() }),
  description: z.string().max(SKILL_LIMITS.entryDescriptionCharacters),
  whenToUse: z.string().max(SKILL_LIMITS.entryTriggerCharacters),
  shortDescription: z.string().max(SKILL_LIMITS.entryTriggerCharacters),
  version: z.string().max(SKILL_LIMITS.versionCharacters).nullable(),
  /** Where it waits when it is not listed to models: `manual` by its author's wish, `conditional` on touched paths. */
  listing: z.enum(['auto', 'manual', 'conditional']),
  userInvocable: z.boolean(),
  context: z.enum(['inline', 'fork']),
  /** The folders it was found in, relative to the layer's source; several when equal copies were merged. */
  origins: z.array(z.string()).min(1),
});
export type CatalogEntry = z.infer<typeof CatalogEntry>;
