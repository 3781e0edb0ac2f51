import { z } from 'zod';
import { DigestSchema } from '../catalog/revision.ts';
import type { Digest } from '../core/digest.ts';
import { REGISTRY_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { parseJson } from '../view/json-document.ts';

/** A skill as an index has it. */
export type IndexedSkill =
  | {
      readonly kind: 'skill';
      readonly url: string;
      /** Of the SKILL.md's bytes; null in an index of the older shape. */
      readonly digest: Digest | null;
    }
  /** Why it is of no use here. */
  | { readonly kind: 'unsupported'; readonly reason: string };

export type WellKnownIndex = ReadonlyMap<string, IndexedSkill>;

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** The names that agentskills.io allows: nothing else is looked up, or becomes a part of a URL. */
export const IndexedName = z
  .string()
  .max(SKILL_LIMITS.nameCharacters)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);

const Document = z.object({
  $schema: z.string().optional(),
  skills: z.array(z.unknown()).max(REGISTRY_LIMITS.indexEntries),
});
const Entry = z.object({
  name: IndexedName,
  type: z.string().max(SKILL_LIMITS.nameCharacters),
  url: z.string().max(REGISTRY_LIMITS.urlCharacters),
  digest: DigestSchema,
});
const OlderEntry = z.object({
  name: IndexedName,
  files: z.array(z.string()).default([SKILL_FILE_NAME]),
});

/**
 * Reads a discovery index (`.well-known/agent-skills/index.json`), of version 0.2.0 or of the older shape, which has neither
 * a `$schema` nor digests. Entries that are not valid are left out, and the first of several of one name counts. `at` is
 * where the index is, for the URLs in it. Errors: text that says what is wrong.
 */
export function readWellKnownIndex(text: string, at: string): Result<WellKnownIndex, string> {
  const document = parseJson(Document, text);
  if (document === null) return fail('its index is no index of skills');
  const { $schema, skills } = document;
  if ($schema !== undefined && $schema !== SCHEMA) return fail('its index is of a version that is not known');
  const read = $schema === undefined ? readOlder : readEntry;
  const index = new Map<string, IndexedSkill>();
  for (const value of skills) {
    const entry = read(value, at);
    if (entry && !index.has(entry.name)) index.set(entry.name, entry.skill);
  }
  return ok(index);
}

interface Named {
  readonly name: string;
  readonly skill: IndexedSkill;
}

function readEntry(value: unknown, at: string): Named | null {
  const entry = Entry.safeParse(value);
  if (!entry.success) return null;
  const { name, type, digest } = entry.data;
  if (type !== 'skill-md') return { name, skill: unsupported(`it is of the type ${JSON.stringify(type)}`) };
  const url = URL.parse(entry.data.url, at)?.href;
  return url === undefined ? null : { name, skill: { kind: 'skill', url, digest } };
}

function readOlder(value: unknown, at: string): Named | null {
  const entry = OlderEntry.safeParse(value);
  if (!entry.success) return null;
  const { name, files } = entry.data;
  if (files.length !== 1 || files[0] !== SKILL_FILE_NAME)
    return { name, skill: unsupported('it has other files than a SKILL.md') };
  const { href: url } = new URL(`${name}/${SKILL_FILE_NAME}`, at);
  return { name, skill: { kind: 'skill', url, digest: null } };
}

function unsupported(reason: string): IndexedSkill {
  return { kind: 'unsupported', reason };
}
