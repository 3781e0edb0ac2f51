import { isThere, type Sql } from './sql.ts';

/** The fields of a skill in the index, in the order of its columns, and what a word weighs in each. */
export const FIELD_WEIGHTS = { name: 8, triggers: 4, tags: 4, description: 2, headings: 1 } as const;

const WEIGHTS = Object.values(FIELD_WEIGHTS).join(', ');

/**
 * What a layer's index keeps. `words` is a bare inverted index: texts are cut into terms before they come here, so its
 * tokenizer only has to split at spaces. `vocabulary` sees it term by term; `spellings` has each longer term under
 * itself and under every form with one letter left out, which finds a misspelt one by a few look-ups.
 */
const SCHEMA = [
  `CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5(
    ${Object.keys(FIELD_WEIGHTS).join(', ')}, tokenize = 'ascii', content = '', contentless_delete = 1)`,
  `INSERT INTO words (words, rank) VALUES ('rank', 'bm25(${WEIGHTS})')`,
  `CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab(words, 'row')`,
  `CREATE TABLE IF NOT EXISTS spellings (form TEXT, term TEXT, PRIMARY KEY (form, term)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS skills (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, revision TEXT NOT NULL,
    listing TEXT NOT NULL, trust TEXT NOT NULL, description TEXT NOT NULL, terms TEXT NOT NULL, length INTEGER NOT NULL,
    shard INTEGER NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS skills_shard ON skills (shard)`,
  `CREATE TABLE IF NOT EXISTS shards (id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, whole INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS totals (id INTEGER PRIMARY KEY CHECK (id = 1), skills INTEGER NOT NULL, length INTEGER NOT NULL)`,
  `INSERT OR IGNORE INTO totals (id, skills, length) VALUES (1, 0, 0)`,
  `CREATE TABLE IF NOT EXISTS standing (
    id INTEGER PRIMARY KEY CHECK (id = 1), layer TEXT NOT NULL, space TEXT NOT NULL, wanted TEXT NOT NULL,
    sequence INTEGER NOT NULL, reached TEXT, attempts INTEGER NOT NULL)`,
] as const;

export function hasIndex(sql: Sql): boolean {
  return isThere(sql, `SELECT 1 FROM sqlite_master WHERE name = 'standing'`);
}

/** Called by the first feed only: a search in a layer that was never published stores nothing. */
export function createIndex(sql: Sql): void {
  if (hasIndex(sql)) return;
  for (const statement of SCHEMA) sql.exec(statement);
}
