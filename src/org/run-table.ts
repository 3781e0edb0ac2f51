import { z } from 'zod';
import type { Layer } from '../catalog/layers.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { ListedRun, type RunPage } from '../invoke/runs/run-list.ts';
import { parseJson } from '../view/json-document.ts';

const Row = z.object({ position: z.string(), run: z.string() });

/** Notes a run, or how it ended. What comes late changes nothing: an ended run stays ended. */
export function noteRun(sql: SqlStorage, boundTo: readonly Layer[] | null, run: ListedRun): void {
  sql.exec(
    `INSERT INTO runs (position, bounds, ended_at, run) VALUES (?, ?, ?, ?)
      ON CONFLICT (position) DO UPDATE SET ended_at = excluded.ended_at, run = excluded.run
      WHERE runs.ended_at IS NULL`,
    `${run.createdAt} ${run.id}`,
    boundsOf(boundTo),
    run.endedAt === null ? null : Date.parse(run.endedAt),
    JSON.stringify(run),
  );
}

/** Runs are deleted so long after their end, and the list does not go on naming them; nor does it grow without end. */
export function sweepRuns(sql: SqlStorage, now: number): void {
  sql.exec('DELETE FROM runs WHERE ended_at < ?', now - RUN_LIMITS.retentionMilliseconds);
  sql.exec(
    'DELETE FROM runs WHERE position IN (SELECT position FROM runs ORDER BY position DESC LIMIT -1 OFFSET ?)',
    RUN_LIMITS.listed,
  );
}

/** The newest first, from behind a row on. */
export function listRuns(
  sql: SqlStorage,
  boundTo: readonly Layer[] | null,
  cursor: string | null,
  limit: number,
): RunPage {
  const bounds = boundsOf(boundTo);
  const rows = sql
    .exec(
      `SELECT position, run FROM runs WHERE position < coalesce(?, 'z') AND bounds = coalesce(?, bounds)
        ORDER BY position DESC LIMIT ?`,
      cursor,
      boundTo === null ? null : bounds,
      limit + 1,
    )
    .toArray();
  const found = z.array(Row).parse(rows);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    runs: page.flatMap(({ run }) => parseJson(ListedRun, run) ?? []),
    next: last?.position ?? null,
  };
}

/** Equal for equal bounds, and empty for none. */
function boundsOf(layers: readonly Layer[] | null): string {
  return layers === null ? '' : JSON.stringify([...new Set(layers)].toSorted());
}
