import { z } from 'zod';
import type { Layer } from '../catalog/layers.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import type { Digest } from '../core/digest.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import { parseJson } from '../view/json-document.ts';
import { Head } from '../view/view-record.ts';

const HeadRow = z.object({ head: z.string() });
const BlobRow = z.object({ digest: z.string() });
/** SQLite takes at most 100 bound parameters; digests are sent as one JSON list instead. */
const DIGESTS_PER_QUERY = 5_000;

/** Heads by their text. That of a large layer names hundreds of shards, and one publish reads it several times. */
const parsed = new BoundedCache<string, Head>(CACHE_LIMITS.headCharacters);

export function readHead(sql: SqlStorage, layer: Layer): Head | null {
  const [row] = sql.exec('SELECT head FROM heads WHERE layer = ?', layer).toArray();
  if (row === undefined) return null;
  const { head: text } = HeadRow.parse(row);
  const head = parsed.get(text) ?? parseJson(Head, text);
  if (head) parsed.set(text, head, text.length);
  return head;
}

/** Moves a head and writes its history. The caller has compared, and is in a transaction. */
export function writeHead(sql: SqlStorage, layer: Layer, head: Head, by: string, at: number): void {
  const text = JSON.stringify(head);
  sql.exec('INSERT OR REPLACE INTO heads (layer, head) VALUES (?, ?)', layer, text);
  parsed.set(text, head, text.length);
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

export function hasStoodAt(sql: SqlStorage, layer: Layer, catalog: Digest): boolean {
  return (
    sql.exec('SELECT 1 FROM history WHERE layer = ? AND catalog = ? LIMIT 1', layer, catalog).toArray()
      .length > 0
  );
}

export function recordBlobs(sql: SqlStorage, blobs: readonly { digest: Digest; size: number }[]): void {
  for (const { digest, size } of blobs)
    sql.exec('INSERT OR IGNORE INTO blobs (digest, size) VALUES (?, ?)', digest, size);
}

export function missingBlobs(sql: SqlStorage, digests: readonly Digest[]): Digest[] {
  const present = new Set<string>();
  for (let start = 0; start < digests.length; start += DIGESTS_PER_QUERY) {
    const asked = JSON.stringify(digests.slice(start, start + DIGESTS_PER_QUERY));
    for (const row of sql.exec(
      'SELECT digest FROM blobs WHERE digest IN (SELECT value FROM json_each(?))',
      asked,
    )) {
      present.add(BlobRow.parse(row).digest);
    }
  }
  return digests.filter((digest) => !present.has(digest));
}
