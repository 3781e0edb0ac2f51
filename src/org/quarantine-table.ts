import { z } from 'zod';
import type { Digest } from '../core/digest.ts';
import { ORG_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import {
  HeldSkill,
  type QuarantineAnswer,
  type QuarantineQuery,
  QuarantineRecord,
  QuarantineStatus,
  unknownHeld,
} from '../publish/quarantine.ts';
import { parseJson } from '../view/json-document.ts';

const Row = z.object({
  sequence: z.number(),
  skill: z.string(),
  status: QuarantineStatus,
  held_at: z.number(),
  decided_by: z.string().nullable(),
  decided_at: z.number().nullable(),
  catalog: z.string().nullable(),
});

/**
 * Keeps what is not known yet, and says what that is. What is known waits on, from the first time; what was decided stays
 * decided.
 */
export function holdSkills(sql: SqlStorage, skills: readonly HeldSkill[], now: number): HeldSkill[] {
  sql.exec('DELETE FROM quarantine WHERE expires_at <= ?', now);
  const fresh = skills.filter((skill) => {
    if (!readHeld(sql, skill.id, now))
      sql.exec(`DELETE FROM quarantine WHERE id = ? AND status = 'held'`, skill.id);
    const inserted = sql.exec(
      `INSERT INTO quarantine (id, layer, publisher, skill, status, held_at, expires_at)
        VALUES (?, ?, ?, ?, 'held', ?, ?) ON CONFLICT (id) DO NOTHING RETURNING id`,
      skill.id,
      skill.layer,
      skill.by,
      JSON.stringify(skill),
      now,
      now + ORG_LIMITS.heldMilliseconds,
    );
    return inserted.toArray().length > 0;
  });
  makeRoom(sql);
  return fresh;
}

/** Whoever has the most waiting loses the oldest of it: one that fills the quarantine empties nobody else's part. */
function makeRoom(sql: SqlStorage): void {
  sql.exec(
    `DELETE FROM quarantine WHERE sequence IN (SELECT sequence FROM
      (SELECT sequence, row_number() OVER (PARTITION BY publisher ORDER BY sequence DESC) AS place
        FROM quarantine WHERE status = 'held')
      ORDER BY place, sequence DESC LIMIT -1 OFFSET ?)`,
    ORG_LIMITS.held,
  );
  sql.exec(
    `DELETE FROM quarantine WHERE sequence IN
      (SELECT sequence FROM quarantine WHERE status <> 'held' ORDER BY decided_at DESC, sequence DESC LIMIT -1 OFFSET ?)`,
    ORG_LIMITS.judged,
  );
}

/** What became of each; `held` for what is not known. */
export function lookHeld(sql: SqlStorage, ids: readonly string[], now: number): QuarantineStatus[] {
  const Known = z.object({ id: z.string(), status: QuarantineStatus });
  const known = new Map(
    sql
      .exec(
        'SELECT id, status FROM quarantine WHERE expires_at > ? AND id IN (SELECT value FROM json_each(?))',
        now,
        JSON.stringify(ids),
      )
      .toArray()
      .map((row) => {
        const { id, status } = Known.parse(row);
        return [id, status] as const;
      }),
  );
  return ids.map((id) => known.get(id) ?? 'held');
}

export function listHeld(sql: SqlStorage, query: QuarantineQuery, now: number): QuarantineRecord[] {
  const { status, layers, before, limit } = query;
  return sql
    .exec(
      `SELECT * FROM quarantine WHERE status = ? AND expires_at > ? AND sequence < ?
        AND (? OR layer IN (SELECT value FROM json_each(?))) ORDER BY sequence DESC LIMIT ?`,
      status,
      now,
      before ?? Number.MAX_SAFE_INTEGER,
      layers === null ? 1 : 0,
      JSON.stringify(layers ?? []),
      limit,
    )
    .toArray()
    .flatMap((row) => toRecord(row) ?? []);
}

export function readHeld(sql: SqlStorage, id: string, now: number): QuarantineRecord | null {
  const [row] = sql.exec('SELECT * FROM quarantine WHERE id = ? AND expires_at > ?', id, now).toArray();
  return row === undefined ? null : toRecord(row);
}

/** An answer counts for years, and can be changed: then it is to be published again, or not to be published any more. */
export function judgeHeld(
  sql: SqlStorage,
  { id, status, by }: QuarantineAnswer,
  now: number,
): Result<QuarantineRecord> {
  const before = readHeld(sql, id, now);
  if (!before) return fail(unknownHeld());
  if (before.status === status) return ok(before);
  sql.exec(
    `UPDATE quarantine SET status = ?, decided_by = ?, decided_at = ?, catalog = NULL, expires_at = ? WHERE id = ?`,
    status,
    by.label,
    now,
    now + ORG_LIMITS.judgedMilliseconds,
    id,
  );
  const after = readHeld(sql, id, now);
  return after ? ok(after) : fail(unknownHeld());
}

export function noteHeldPublished(sql: SqlStorage, id: string, catalog: Digest): void {
  sql.exec(`UPDATE quarantine SET catalog = ? WHERE id = ? AND status = 'accepted'`, catalog, id);
}

/** Null for a row of a version of Skilledge that kept other things. Its skill is held anew when it is published again. */
function toRecord(value: Record<string, SqlStorageValue>): QuarantineRecord | null {
  const row = Row.parse(value);
  const skill = parseJson(HeldSkill, row.skill);
  const record = QuarantineRecord.safeParse({
    ...skill,
    sequence: row.sequence,
    status: row.status,
    heldAt: new Date(row.held_at).toISOString(),
    decidedBy: row.decided_by,
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
    catalog: row.catalog,
  });
  return record.data ?? null;
}
