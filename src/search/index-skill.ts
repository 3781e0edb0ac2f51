import { z } from 'zod';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { positiveText } from '../text/exclusions.ts';
import type { FIELD_WEIGHTS } from './search-schema.ts';
import { learnSpellings } from './spellings.ts';
import { rowsOf, type Sql } from './sql.ts';
import { termsOf } from '../text/words.ts';

/** What is indexed of a skill beside its catalog row. */
export interface SkillTexts {
  readonly tags: readonly string[];
  readonly headings: string;
}

export type FieldName = keyof typeof FIELD_WEIGHTS;

export const FIELDS: readonly FieldName[] = ['name', 'triggers', 'tags', 'description', 'headings'];

const OldRow = z.object({ id: z.number(), length: z.number() });
const IdRow = z.object({ id: z.number() });

/** Says whether an entry has to be indexed again: its texts follow from its row and the blobs that the row names. */
export function fingerprintOf(entry: CatalogEntry): Digest {
  return digestOf(canonicalJson(entry));
}

/** Puts a skill into the index, in place of what was there under its name. */
export function indexSkill(sql: Sql, entry: CatalogEntry, texts: SkillTexts, shard: number): void {
  removeSkill(sql, entry.name);
  const fields = fieldTerms(entry, texts);
  const length = fields.reduce((sum, terms) => sum + terms.length, 0);
  const joined = fields.map((terms) => terms.join(' '));
  const [row] = rowsOf(
    sql,
    IdRow,
    `INSERT INTO skills (name, fingerprint, revision, listing, trust, description, terms, length, shard)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    entry.name,
    fingerprintOf(entry),
    entry.revision,
    entry.listing,
    entry.trust,
    entry.description || entry.whenToUse,
    JSON.stringify(joined),
    length,
    shard,
  );
  if (!row) return;
  sql.exec(`INSERT INTO words (rowid, ${FIELDS.join(', ')}) VALUES (?, ?, ?, ?, ?, ?)`, row.id, ...joined);
  sql.exec('UPDATE totals SET skills = skills + 1, length = length + ?', length);
  learnSpellings(sql, new Set(fields.flat()));
}

export function removeSkill(sql: Sql, name: string): void {
  const [old] = rowsOf(sql, OldRow, 'SELECT id, length FROM skills WHERE name = ?', name);
  if (!old) return;
  sql.exec('DELETE FROM words WHERE rowid = ?', old.id);
  sql.exec('DELETE FROM skills WHERE id = ?', old.id);
  sql.exec('UPDATE totals SET skills = skills - 1, length = length - ?', old.length);
}

/** The terms of every field, in the order of the columns. */
function fieldTerms(entry: CatalogEntry, { tags, headings }: SkillTexts): string[][] {
  const texts: Record<FieldName, string> = {
    name: entry.name,
    triggers: positiveText(entry.whenToUse),
    tags: tags.join('\n'),
    description: positiveText(`${entry.description}\n${entry.shortDescription}`),
    headings,
  };
  return FIELDS.map((field) => termsOf(texts[field], SEARCH_LIMITS.fieldTerms));
}
