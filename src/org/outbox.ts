import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { ORG_LIMITS } from '../core/limits.ts';
import { viewKey } from '../store/keys.ts';

const OutboxRow = z.object({ key: z.string(), value: z.string() });
type OutboxRow = z.infer<typeof OutboxRow>;

/** What a row has in place of a view's text: the layer, and what tells one change from the next. No text begins like this. */
const VIEW = /^view (\S+) \S+$/;
/** The text of a layer's view as it is now. */
type ViewText = (layer: Layer) => string;

/** Notes a copy that KV must get, in the transaction of what it copies. A newer value replaces one not yet sent. */
export function enqueue(sql: SqlStorage, key: string, value: string): void {
  sql.exec('INSERT OR REPLACE INTO outbox (key, value) VALUES (?, ?)', key, value);
}

/** Notes that KV must get the view of a layer, whose text is made when it is sent: that of a large layer is long. */
export function enqueueView(sql: SqlStorage, layer: Layer, organisation: string): void {
  enqueue(sql, viewKey(layer, organisation), `view ${layer} ${crypto.randomUUID()}`);
}

/** Sends some copies, oldest key first; true when none are left. What fails stays for the next try. */
export async function sendOutbox(
  sql: SqlStorage,
  kv: KVNamespace,
  viewText: ViewText,
  batch: number = ORG_LIMITS.outboxBatch,
): Promise<boolean> {
  const rows = sql
    .exec('SELECT key, value FROM outbox LIMIT ?', batch)
    .toArray()
    .map((row) => OutboxRow.parse(row));
  await Promise.all(rows.map((row) => send(sql, kv, viewText, row)));
  return !hasCopies(sql);
}

export function hasCopies(sql: SqlStorage): boolean {
  return sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length > 0;
}

/** Sends one copy now, so that a publish can be read as soon as it is answered. */
export async function sendNow(
  sql: SqlStorage,
  kv: KVNamespace,
  viewText: ViewText,
  key: string,
): Promise<void> {
  const [row] = sql.exec('SELECT key, value FROM outbox WHERE key = ?', key).toArray();
  if (row !== undefined) await send(sql, kv, viewText, OutboxRow.parse(row));
}

async function send(
  sql: SqlStorage,
  kv: KVNamespace,
  viewText: ViewText,
  { key, value }: OutboxRow,
): Promise<void> {
  const layer = VIEW.exec(value)?.[1];
  await kv.put(key, layer === undefined ? value : viewText(Layer.parse(layer)));
  // Only what was sent: it may have been replaced while it was on its way.
  sql.exec('DELETE FROM outbox WHERE key = ? AND value = ?', key, value);
}
