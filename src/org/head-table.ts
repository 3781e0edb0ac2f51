import { z } from 'zod';
import type { Layer } from '../catalog/layers.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { Digest } from '../core/digest.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import { parseJson } from '../view/json-document.ts';
import { Head } from '../view/view-record.ts';
import type { HeadMark } from './head-step.ts';

const MarkRow = z.object({ sequence: z.int().positive(), catalog: DigestSchema, index: DigestSchema });
const HeadRow = z.object({ head: z.string() });
const BlobRow = z.object({ digest: z.string() });
/** SQLite takes at most 100 bound parameters; digests are sent as one JSON list instead. */
const DIGESTS_PER_QUERY = 5_000;

/**
 * Heads by their marks, whose digests say all that is in them. That of a large layer names hundreds of shards, and one
 * publish reads it several times.
 */
const parsed = new BoundedCache<string, Head>(CACHE_LIMITS.headCharacters);

/** Where a layer stands, in short: a row of a fixed size, however large the layer is. */
export function readMark(sql: SqlStorage, layer: Layer): HeadMark | null {
  const [row] = sql
    .exec(
      'SELECT sequence, catalog, listing_index AS "index" FROM history WHERE layer = ? ORDER BY sequence DESC LIMIT 1',
      layer,
    )
    .toArray();
  return row === undefined ? null : MarkRow.parse(row);
}

export function readHead(sql: SqlStorage, layer: Layer): Head | null {
  const mark = readMark(sql, layer);
  if (!mark) return null;
  const known = parsed.get(keyOf(layer, mark));
  if (known) return known;
  const [row] = sql.exec('SELECT head FROM heads WHERE layer = ?', layer).toArray();
  if (row === undefined) return null;
  const { head: text } = HeadRow.parse(row);
  const head = parseJson(Head, text);
  if (head) parsed.set(keyOf(layer, head), head, text.length);
  return head;
}

/** Moves a head and writes its history. The caller has compared, and is in a transaction. */
export function writeHead(sql: SqlStorage, layer: Layer, head: Head, by: string, at: number): void {
  const text = JSON.stringify(head);
  sql.exec('INSERT OR REPLACE INTO heads (layer, head) VALUES (?, ?)', layer, text);
  parsed.set(keyOf(layer, head), head, text.length);
  sql.exec(
    `INSERT INTO history (layer, sequence, catalog, listing_index, entries, moved_by, moved_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    layer,
    head.sequence,
    head.catalog,
    head.index,
    head.entries,
    by,
    at,
  );
}

function keyOf(layer: Layer, { sequence, catalog, index }: HeadMark): string {
  return `${layer} ${sequence} ${catalog} ${index}`;
}

export function hasStoodAt(sql: SqlStorage, layer: Layer, catalog: Digest): boolean {
  return (
    sql.exec('SELECT 1 FROM history WHERE layer = ? AND catalog = ? LIMIT 1', layer, catalog).toArray()
      .length > 0
  );
}

/** By layer, though a space has each only once: what one layer has is nobody's to know who may not push there. */
export function recordBlobs(
  sql: SqlStorage,
  layer: Layer,
  blobs: readonly { digest: Digest; size: number }[],
): void {
  for (const { digest, size } of blobs)
    sql.exec('INSERT OR IGNORE INTO layer_blobs (layer, digest, size) VALUES (?, ?, ?)', layer, digest, size);
}

export function missingBlobs(sql: SqlStorage, layer: Layer, digests: readonly Digest[]): Digest[] {
  const present = new Set<string>();
  for (let start = 0; start < digests.length; start += DIGESTS_PER_QUERY) {
    const asked = JSON.stringify(digests.slice(start, start + DIGESTS_PER_QUERY));
    for (const row of sql.exec(
      'SELECT digest FROM layer_blobs WHERE layer = ? AND digest IN (SELECT value FROM json_each(?))',
      layer,
      asked,
    )) {
      present.add(BlobRow.parse(row).digest);
    }
  }
  return digests.filter((digest) => !present.has(digest));
}
