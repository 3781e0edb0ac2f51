import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { USAGE_LIMITS } from '../core/limits.ts';
import type { SkillUse } from '../invoke/skill-use.ts';
import { parseJson } from '../view/json-document.ts';
import type { SkillCount } from '../view/ports.ts';
import { DECAY_MILLISECONDS, takeSnapshot, UsageSnapshot } from '../view/usage-snapshot.ts';

const UsageRow = z.object({ layer: Layer, name: z.string(), count: z.number(), used_at: z.number() });
const SnapshotRow = z.object({ organisation: z.string(), made_at: z.number(), value: z.string() });

/**
 * Counts uses. One that comes soon after another, or before it, is not counted: so it does no harm when the same ones
 * are told twice, or late.
 */
export function countUses(sql: SqlStorage, uses: readonly SkillUse[], now: number): void {
  let added = false;
  for (const { layer, name, at } of uses) {
    const [row] = sql
      .exec(
        `INSERT INTO usage (layer, name, count, used_at) VALUES (?, ?, 1, ?)
          ON CONFLICT (layer, name) DO UPDATE SET count = count + 1, used_at = excluded.used_at
          WHERE excluded.used_at >= usage.used_at + ? RETURNING count`,
        layer,
        name,
        Math.min(at, now),
        USAGE_LIMITS.repeatMilliseconds,
      )
      .toArray();
    added ||= row?.['count'] === 1;
  }
  if (added) dropOldest(sql);
}

/** What was not used for the longest time gives way. */
function dropOldest(sql: SqlStorage): void {
  sql.exec(
    `DELETE FROM usage WHERE (layer, name) IN
      (SELECT layer, name FROM usage ORDER BY used_at DESC, layer, name LIMIT -1 OFFSET ?)`,
    USAGE_LIMITS.skills,
  );
}

/** Counts of some layers, most used first, from behind a row on. */
export function mostUsed(
  sql: SqlStorage,
  layers: readonly Layer[],
  after: Omit<SkillCount, 'usedAt'> | null,
  limit: number,
): SkillCount[] {
  return sql
    .exec(
      `SELECT layer, name, count, used_at FROM usage
        WHERE layer IN (SELECT value FROM json_each(?)) AND (-count, layer, name) > (?, ?, ?)
        ORDER BY count DESC, layer, name LIMIT ?`,
      JSON.stringify(layers),
      after ? -after.count : Number.MIN_SAFE_INTEGER,
      after?.layer ?? '',
      after?.name ?? '',
      limit,
    )
    .toArray()
    .map(toCount);
}

export function readSnapshot(sql: SqlStorage): UsageSnapshot | null {
  const row = readSnapshotRow(sql);
  return row ? parseJson(UsageSnapshot, row.value) : null;
}

/**
 * When the next snapshot is to be made, and for whom; null where nothing was used, or where it would say what the last one
 * says: until there are more uses.
 */
export function nextSnapshot(sql: SqlStorage): { organisation: string; at: number } | null {
  const last = readSnapshotRow(sql);
  if (!last) return null;
  const falling = sql
    .exec('SELECT 1 FROM usage WHERE used_at > ? LIMIT 1', last.made_at - DECAY_MILLISECONDS)
    .toArray();
  if (falling.length === 0) return null;
  return { organisation: last.organisation, at: last.made_at + USAGE_LIMITS.snapshotMilliseconds };
}

/** Makes a snapshot where there is none yet, or the last one is too old. True where it did. */
export function refreshSnapshot(sql: SqlStorage, organisation: string, now: number): boolean {
  const last = readSnapshotRow(sql);
  if (last && now < last.made_at + USAGE_LIMITS.snapshotMilliseconds) return false;
  const counts = sql.exec('SELECT layer, name, count, used_at FROM usage').toArray().map(toCount);
  sql.exec(
    'INSERT OR REPLACE INTO usage_snapshot (id, organisation, made_at, value) VALUES (1, ?, ?, ?)',
    organisation,
    now,
    JSON.stringify(takeSnapshot(counts, now)),
  );
  return true;
}

function readSnapshotRow(sql: SqlStorage): z.infer<typeof SnapshotRow> | null {
  const [row] = sql.exec('SELECT organisation, made_at, value FROM usage_snapshot').toArray();
  return row === undefined ? null : SnapshotRow.parse(row);
}

function toCount(row: Record<string, SqlStorageValue>): SkillCount {
  const { layer, name, count, used_at: usedAt } = UsageRow.parse(row);
  return { layer, name, count, usedAt };
}
