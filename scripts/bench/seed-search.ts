import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import type { Digest } from '../../src/core/digest.ts';
import { indexSkill } from '../../src/search/index-skill.ts';
import { createIndex } from '../../src/search/search-schema.ts';
import { SEARCHED_REPORT, skillTexts } from '../../src/search/skill-texts.ts';
import { nodeSql } from '../lib/node-sql.ts';
import type { Compiled } from './compile-tree.ts';

/**
 * Writes the rows that a search object makes of a catalog, with its own code and shard by shard as it does, to the file
 * that it will open: over 100,000 skills that takes a fraction of the time. Told of the catalog, the object finds that it
 * has every shard.
 */
export function seedSearch(
  file: string,
  { head, nodes }: Compiled,
  read: (digest: Digest) => Uint8Array,
  progress: (done: number, all: number) => void,
): void {
  mkdirSync(dirname(file), { recursive: true });
  const sql = nodeSql(file);
  sql.exec('PRAGMA journal_mode = WAL');
  sql.exec('PRAGMA synchronous = OFF');
  createIndex(sql);
  let done = 0;
  for (const [at, { digest, count }] of head.shards.entries()) {
    const shard = CatalogShard.parse(JSON.parse(new TextDecoder().decode(nodes.get(digest)?.bytes)));
    sql.exec('BEGIN');
    sql.exec('INSERT INTO shards (id, digest, whole) VALUES (?, ?, 1)', at + 1, digest);
    for (const entry of shard.entries) {
      const report = SEARCHED_REPORT.parse(new TextDecoder().decode(read(entry.report)));
      if (!report) throw new Error(`not a report: ${entry.name}`);
      indexSkill(sql, entry, skillTexts(report, read(entry.skillFile.sha256)), at + 1);
    }
    sql.exec('COMMIT');
    done += count;
    progress(done, head.entries);
  }
  sql.close();
}
