import { z } from 'zod';
import { Layer, spaceOf } from '../catalog/layers.ts';
import { logFault } from '../core/log.ts';
import { searchName } from '../store/keys.ts';
import { readMark } from './head-table.ts';

const FeedRow = z.object({ layer: Layer, organisation: z.string() });

/** Notes, in the transaction that moves a head, that the layer's search index must be told. */
export function enqueueFeed(sql: SqlStorage, layer: Layer, organisation: string): void {
  sql.exec('INSERT OR REPLACE INTO feeds (layer, organisation) VALUES (?, ?)', layer, organisation);
}

export function hasFeeds(sql: SqlStorage): boolean {
  return sql.exec('SELECT 1 FROM feeds LIMIT 1').toArray().length > 0;
}

/** Tells each index where its head stands now; true when none is left. What fails stays for the next try. */
export async function sendFeeds(sql: SqlStorage, search: Env['SEARCH']): Promise<boolean> {
  const rows = sql
    .exec('SELECT layer, organisation FROM feeds')
    .toArray()
    .map((row) => FeedRow.parse(row));
  const sent = await Promise.all(rows.map((row) => sendFeed(sql, search, row)));
  return sent.every(Boolean);
}

async function sendFeed(
  sql: SqlStorage,
  search: Env['SEARCH'],
  { layer, organisation }: z.infer<typeof FeedRow>,
): Promise<boolean> {
  const mark = readMark(sql, layer);
  if (!mark) return true;
  const { catalog, sequence } = mark;
  try {
    const index = search.getByName(searchName(layer, organisation));
    await index.follow({ layer, space: spaceOf(layer, organisation), catalog, sequence });
  } catch (error) {
    logFault('search_feed_failed', { layer, reason: String(error) });
    return false;
  }
  // Only where the head has not moved on while the news was on its way.
  const moved = readMark(sql, layer)?.sequence !== sequence;
  if (!moved) sql.exec('DELETE FROM feeds WHERE layer = ?', layer);
  return !moved;
}
