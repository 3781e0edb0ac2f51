import { z } from 'zod';
import { SKILL_LIMITS } from '../core/limits.ts';
import { DigestSchema } from './revision.ts';
import { isPlainText } from '../core/plain-text.ts';
import { ListingState } from './listing-state.ts';
import { RowTokens } from './token-counts.ts';
import { PluginFacts, SkillKind, Trust } from './provenance.ts';
import { Requirement } from './requirement.ts';

const LONGEST_NAME = SKILL_LIMITS.nameCharactersHard + 1 + SKILL_LIMITS.pathBytes;

/** A catalog name: the skill's own or what its layout says, or `dir:name` where several of one layer have the same. */
export const EntryName = z
  .string()
  .min(1)
  .max(LONGEST_NAME)
  .refine(isPlainText, 'names have no control characters');

/** The same, for where there are too many names for a schema each. */
export function isEntryName(text: string): boolean {
  return text.length >= 1 && text.length <= LONGEST_NAME && isPlainText(text);
}

const Hosts = z.array(z.string().max(SKILL_LIMITS.entryHostCharacters)).max(SKILL_LIMITS.entryHosts);

/**
 * One row of a layer's catalog: what listing, decision and lookup need without opening anything else. What the
 * skill's bytes say follows from the revision and its report, and is checked against them when it is published; where it
 * was found (`name`, `kind`, `scope`, `trust`, `plugin`, `origins`, and a stricter `listing`) is its publisher's word, and
 * so are `tokens`, within what is certain.
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
  /** Where it waits when it is not listed to models. Never less strict than its author's wish. */
  listing: ListingState,
  userInvocable: z.boolean(),
  context: z.enum(['inline', 'fork']),
  kind: SkillKind,
  trust: Trust,
  /** The folder, relative to its project, below which something must be touched before it is listed. */
  scope: z.string().min(1).max(SKILL_LIMITS.scopeCharacters).nullable(),
  /** gitignore patterns; where there are any, one of them must be touched (below `scope`) before it is listed. */
  paths: z.array(z.string().max(SKILL_LIMITS.entryPatternsCharacters)).max(SKILL_LIMITS.entryPatterns),
  /** Where it runs: listed only to hosts that say they are one of these; an empty list leaves it open. */
  platforms: Hosts,
  products: Hosts,
  /** What it does not work without; not there where it needs nothing, as nearly all skills. */
  requires: z.array(Requirement).min(1).max(SKILL_LIMITS.entryRequirements).exactOptional(),
  plugin: PluginFacts.nullable(),
  /** The folders (or loose files) it was found in, relative to the layer's source; several when copies were merged. */
  origins: z.array(z.string()).min(1),
  /** Of what a listing prints of it and of its body; null where nobody counted. */
  tokens: RowTokens.nullable().default(null),
});
export type CatalogEntry = z.infer<typeof CatalogEntry>;
