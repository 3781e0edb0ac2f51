import { z } from 'zod';
import { ORG_LIMITS } from '../core/limits.ts';

const OutboxRow = z.object({ key: z.string(), value: z.string() });

/** Notes a copy that KV must get, in the transaction of what it copies. A newer value replaces one not yet sent. */
export function enqueue(sql: SqlStorage, key: string, value: string): void {
  sql.exec('INSERT OR REPLACE INTO outbox (key, value) VALUES (?, ?)', key, value);
}

/** Sends some copies, oldest key first; true when none are left. What fails stays for the next try. */
export async function sendOutbox(
  sql: SqlStorage,
  kv: KVNamespace,
  batch: number = ORG_LIMITS.outboxBatch,
): Promise<boolean> {
  const rows = sql
    .exec('SELECT key, value FROM outbox LIMIT ?', batch)
    .toArray()
    .map((row) => OutboxRow.parse(row));
  await Promise.all(
    rows.map(async ({ key, value }) => {
      await kv.put(key, value);
      // Only what was sent: it may have been replaced while it was on its way.
      sql.exec('DELETE FROM outbox WHERE key = ? AND value = ?', key, value);
    }),
  );
  return !hasCopies(sql);
}

export function hasCopies(sql: SqlStorage): boolean {
  return sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length > 0;
}

/** Sends one copy now, so that a publish can be read as soon as it is answered. */
export async function sendNow(sql: SqlStorage, kv: KVNamespace, key: string): Promise<void> {
  const [row] = sql.exec('SELECT key, value FROM outbox WHERE key = ?', key).toArray();
  if (row === undefined) return;
  const { value } = OutboxRow.parse(row);
  await kv.put(key, value);
  sql.exec('DELETE FROM outbox WHERE key = ? AND value = ?', key, value);
}
