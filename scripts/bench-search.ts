import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CatalogEntry } from '../src/catalog/catalog-entry.ts';
import { digestOf } from '../src/core/digest.ts';
import { indexSkill, type SkillTexts } from '../src/search/index-skill.ts';
import { searchLayer } from '../src/search/search-layer.ts';
import { createIndex } from '../src/search/search-schema.ts';
import type { Sql } from '../src/search/sql.ts';
import { termsOf } from '../src/text/words.ts';
import { median } from './bench/statistics.ts';
import { nodeSql } from './lib/node-sql.ts';

/**
 * The SQL of a search index at 1,000 and at 100,000 skills: a query of four words beside the same words in bare FTS5, and
 * the update that one published skill is. The words follow Zipf's law, as words do.
 */
const SIZES = [1_000, 100_000];
const VOCABULARY = 20_000;
const QUERIES = 200;
const PUBLISHES = 200;

let state = 1;
const random = (): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
};
const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ka',
  'le',
  'mi',
  'no',
  'pu',
  'ra',
  'so',
  'ti',
  'vo',
  'wu',
  'za',
];
/** Words of three to five syllables, none a form of another. */
const wordOf = (rank: number): string => {
  let text = '';
  for (let rest = rank + 256; rest > 0; rest = Math.floor(rest / 16)) text += SYLLABLES[rest % 16] ?? '';
  return text;
};
const anyWord = (): string => wordOf(Math.floor(VOCABULARY ** random()) - 1);
const words = (count: number): string => Array.from({ length: count }, anyWord).join(' ');

for (const size of SIZES) {
  const file = join(tmpdir(), `skilledge-bench-search-${process.pid}-${size}.sqlite`);
  const sql = nodeSql(file);
  sql.exec('PRAGMA journal_mode = WAL');
  sql.exec('PRAGMA synchronous = OFF');
  createIndex(sql);
  sql.exec('BEGIN');
  for (let index = 0; index < size; index += 1)
    indexSkill(sql, entryOf(index), textsOf(), Math.floor(index / 128));
  sql.exec('COMMIT');

  const queries = Array.from({ length: QUERIES }, () => words(4));
  // Once through, so that the timed rounds find everything compiled.
  for (const text of queries) searchLayer(sql, { text, limit: 10, hidden: [] });
  const ours: number[] = [];
  const bare: number[] = [];
  for (const text of queries) {
    bare.push(timed(() => bareSearch(sql, text)));
    ours.push(timed(() => searchLayer(sql, { text, limit: 10, hidden: [] })));
  }
  const misspelt = queries.map((text) =>
    timed(() => searchLayer(sql, { text: `x${text}`, limit: 10, hidden: [] })),
  );
  const publishes = Array.from({ length: PUBLISHES }, () => {
    const index = Math.floor(random() * size);
    return timed(() => {
      sql.exec('BEGIN');
      indexSkill(sql, entryOf(index), textsOf(), Math.floor(index / 128));
      sql.exec('COMMIT');
    });
  });
  const slowest = Math.max(...ours);
  console.log(
    `${size} skills: query ${show(ours)} (slowest ${slowest.toFixed(2)}), bare FTS5 ${show(bare)}, ` +
      `with a misspelt word ${show(misspelt)}, update of one skill ${show(publishes)} ms`,
  );
  sql.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

function bareSearch(sql: Sql, text: string): unknown[] {
  const match = termsOf(text, 4).map((term) => `"${term}"`);
  return [
    ...sql.exec('SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 10', match.join(' OR ')),
  ];
}

function timed(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function show(times: readonly number[]): string {
  return median([...times]).toFixed(2);
}

function textsOf(): SkillTexts {
  return { tags: [], headings: words(12) };
}

function entryOf(index: number): CatalogEntry {
  const name = `${wordOf(index % VOCABULARY)}-${index}`;
  return {
    name,
    revision: digestOf(name),
    report: digestOf(name),
    skillFile: { sha256: digestOf(name), size: 0 },
    description: words(25),
    whenToUse: words(8),
    shortDescription: '',
    version: null,
    listing: 'auto',
    userInvocable: true,
    context: 'inline',
    kind: 'skill',
    trust: 'trusted',
    scope: null,
    plugin: null,
    origins: [name],
    paths: [],
    platforms: [],
    products: [],
    tokens: null,
  };
}
