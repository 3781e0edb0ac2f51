import { z } from 'zod';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Space } from '../catalog/layers.ts';
import type { CatalogRoot, CatalogShard } from '../catalog/merkle-catalog.ts';
import type { Digest } from '../core/digest.ts';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { SHARD } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import { readRoot } from '../view/read-root.ts';
import { fingerprintOf, indexSkill, removeSkill } from './index-skill.ts';
import { SEARCHED_REPORT, skillTexts } from './skill-texts.ts';
import { rowsOf, type Sql } from './sql.ts';

/** All in one row: of a large layer they are hundreds, and a row of its own for each takes ten times as long. */
const WholeRow = z.object({ digests: z.string().nullable() });
const CountRow = z.object({ count: z.number() });
const IdRow = z.object({ id: z.number() });
const NameRow = z.object({ name: z.string() });
const StateRow = z.object({ name: z.string(), fingerprint: z.string() });

/** Runs all of it or nothing of it. */
export type Atomically = (work: () => void) => void;

export interface IndexTarget {
  readonly space: Space;
  readonly catalog: Digest;
}

/**
 * One bounded step towards a catalog; true when the index stands there. Shards are compared by digest, so that after a
 * publish only the changed one is read, and in it only the changed skills. A shard is whole in the index once all of its
 * rows are; rows that another shard takes over make theirs incomplete again. So it can stop after any step, and
 * go on towards another catalog.
 */
export async function stepTowards(
  sql: Sql,
  blobs: BlobStore,
  target: IndexTarget,
  atomically: Atomically,
): Promise<boolean> {
  const { space, catalog } = target;
  const root = await readRoot(blobs, space, catalog);
  if (!root) throw new Error(`no catalog ${catalog}`);
  const whole = wholeShards(sql);
  const fresh = root.shards.find(({ digest }) => !whole.has(digest));
  if (fresh) {
    const [shard] = await blobs.readDocuments([{ space, digest: fresh.digest }], SHARD);
    if (!shard) throw new Error(`no shard ${fresh.digest}`);
    await indexPart(sql, blobs, space, { digest: fresh.digest, shard }, atomically);
    return false;
  }
  return removeOthers(sql, root, atomically);
}

function wholeShards(sql: Sql): ReadonlySet<string> {
  const [row] = rowsOf(
    sql,
    WholeRow,
    `SELECT group_concat(digest, ' ') AS digests FROM shards WHERE whole = 1`,
  );
  return new Set(row?.digests?.split(' '));
}

/** Indexes what changed of one shard, as much as one step may. */
async function indexPart(
  sql: Sql,
  blobs: BlobStore,
  space: Space,
  { digest, shard }: { digest: Digest; shard: CatalogShard },
  atomically: Atomically,
): Promise<void> {
  const names = JSON.stringify(shard.entries.map(({ name }) => name));
  const rows = rowsOf(
    sql,
    StateRow,
    'SELECT name, fingerprint FROM skills WHERE name IN (SELECT value FROM json_each(?))',
    names,
  );
  const known = new Map(rows.map(({ name, fingerprint }) => [name, fingerprint]));
  const changed = shard.entries.filter((entry) => known.get(entry.name) !== fingerprintOf(entry));
  const part = batchOf(changed);
  const [reports, files] = await Promise.all([
    blobs.readDocuments(
      part.map(({ report }) => ({ space, digest: report })),
      SEARCHED_REPORT,
    ),
    blobs.readMany(part.map(({ skillFile }) => ({ space, digest: skillFile.sha256, size: skillFile.size }))),
  ]);
  atomically(() => {
    sql.exec('INSERT OR IGNORE INTO shards (digest, whole) VALUES (?, 0)', digest);
    const [row] = rowsOf(sql, IdRow, 'SELECT id FROM shards WHERE digest = ?', digest);
    if (!row) return;
    // Whoever held these rows until now is not whole any more.
    sql.exec(
      `UPDATE shards SET whole = 0 WHERE id IN
        (SELECT shard FROM skills WHERE name IN (SELECT value FROM json_each(?)) AND shard <> ?)`,
      names,
      row.id,
    );
    sql.exec(
      `UPDATE skills SET shard = ? WHERE name IN (SELECT value FROM json_each(?)) AND shard <> ?`,
      row.id,
      names,
      row.id,
    );
    for (const [index, entry] of part.entries()) {
      const [report, file] = [reports[index], files[index]];
      if (!report || !file) throw new Error(`parts of ${entry.revision} cannot be read`);
      indexSkill(sql, entry, skillTexts(report, file), row.id);
    }
    if (part.length === changed.length) sql.exec('UPDATE shards SET whole = 1 WHERE id = ?', row.id);
  });
}

function batchOf(entries: readonly CatalogEntry[]): CatalogEntry[] {
  let bytes = 0;
  const end = entries.slice(0, SEARCH_LIMITS.batchSkills).findIndex((entry, index) => {
    bytes += entry.skillFile.size;
    return index > 0 && bytes > SEARCH_LIMITS.batchBytes;
  });
  return entries.slice(0, end === -1 ? SEARCH_LIMITS.batchSkills : end);
}

/** Once everything of the catalog is there, and whole: what only older ones had goes, some rows a step. */
function removeOthers(sql: Sql, root: CatalogRoot, atomically: Atomically): boolean {
  let done = false;
  atomically(() => {
    const [whole] = rowsOf(sql, CountRow, 'SELECT count(*) AS count FROM shards WHERE whole = 1');
    // A shard that lost a row to another one is not whole any more. What has lost none is looked for only where there is one.
    if (whole?.count !== root.shards.length) {
      sql.exec(
        'UPDATE shards SET whole = 0 WHERE digest NOT IN (SELECT value FROM json_each(?))',
        JSON.stringify(root.shards.map(({ digest }) => digest)),
      );
    }
    const rows = rowsOf(
      sql,
      NameRow,
      'SELECT name FROM skills WHERE shard IN (SELECT id FROM shards WHERE whole = 0) LIMIT ?',
      SEARCH_LIMITS.batchSkills * 2,
    );
    for (const { name } of rows) removeSkill(sql, name);
    done = rows.length < SEARCH_LIMITS.batchSkills * 2;
    if (done) sql.exec('DELETE FROM shards WHERE whole = 0');
  });
  return done;
}
