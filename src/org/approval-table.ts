import { z } from 'zod';
import { ORG_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { REMOTE_LAYER } from '../catalog/layers.ts';
import {
  type ApprovalDecision,
  ApprovalDuration,
  type ApprovalQuery,
  type ApprovalQuestion,
  ApprovalRecord,
  ApprovalSubject,
} from '../invoke/approval.ts';
import { SkillPermissions } from '../compile/skill-permissions.ts';
import { PermissionUpgrade } from '../invoke/permission-upgrade.ts';
import { parseJson } from '../view/json-document.ts';
import { noteApproved } from './revision-table.ts';

const ApprovalRow = z.object({
  id: z.string(),
  status: z.enum(['pending', 'approved', 'denied', 'spent']),
  subject: z.string(),
  duration: ApprovalDuration.nullable(),
  session: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.number().nullable(),
  expires_at: z.number(),
  asked_at: z.number(),
  permissions: z.string().nullable(),
  upgrade: z.string().nullable(),
  /** The run that used it, where that is known by a key of its caller's. */
  spent_by: z.string().nullable(),
});
type ApprovalRow = z.infer<typeof ApprovalRow>;

/** The question as it stands; null where it has to be asked, for the first time or anew. */
export function standingApproval(sql: SqlStorage, id: string, now: number): ApprovalRecord | null {
  const row = readRow(sql, id, now);
  return row && row.status !== 'spent' ? toRecord(row) : null;
}

/** Notes a question. One that was decided already stays decided; one that is spent or expired is asked anew. */
export function askApproval(
  sql: SqlStorage,
  { id, subject, session, permissions }: ApprovalQuestion,
  upgrade: PermissionUpgrade | null,
  now: number,
): ApprovalRecord {
  const standing = standingApproval(sql, id, now);
  if (standing) return standing;
  sql.exec('DELETE FROM approvals WHERE expires_at <= ?', now);
  sql.exec(
    `INSERT OR REPLACE INTO approvals (id, status, subject, session, expires_at, asked_at, permissions, upgrade)
      VALUES (?, 'pending', ?, ?, ?, ?, ?, ?)`,
    id,
    JSON.stringify(subject),
    session,
    now + ORG_LIMITS.approvalMilliseconds,
    now,
    JSON.stringify(permissions),
    upgrade === null ? null : JSON.stringify(upgrade),
  );
  // Questions are cheap to ask; the oldest give way.
  sql.exec(
    'DELETE FROM approvals WHERE id NOT IN (SELECT id FROM approvals ORDER BY expires_at DESC LIMIT ?)',
    ORG_LIMITS.approvals,
  );
  const asked = { id, status: 'pending' as const, spent: false, subject, session, permissions, upgrade };
  return { ...asked, askedAt: time(now), duration: null, decidedBy: null, decidedAt: null };
}

/** Questions, the newest first. */
export function listApprovals(
  sql: SqlStorage,
  { status, boundTo, after, limit }: ApprovalQuery,
  now: number,
): ApprovalRecord[] {
  return sql
    .exec(
      `SELECT * FROM approvals WHERE expires_at > ? AND (? IS NULL OR status IN (?, ?))
        AND (? IS NULL OR json_extract(subject, '$.layer') IN (SELECT value FROM json_each(?)))
        AND (asked_at, id) < (?, ?) ORDER BY asked_at DESC, id DESC LIMIT ?`,
      now,
      status,
      status,
      status === 'approved' ? 'spent' : status,
      boundTo === null ? null : 1,
      JSON.stringify(boundTo === null ? [] : visibleLayers(boundTo)),
      after === null ? Number.MAX_SAFE_INTEGER : Date.parse(after.askedAt),
      after?.id ?? '',
      limit,
    )
    .toArray()
    .map((row) => toRecord(ApprovalRow.parse(row)));
}

/** Layers whose questions a token with these bounds may see and answer. */
function visibleLayers(boundTo: readonly string[]): string[] {
  return ['bundled', 'org', REMOTE_LAYER, ...boundTo];
}

export function decideApproval(
  sql: SqlStorage,
  decision: ApprovalDecision,
  now: number,
): Result<ApprovalRecord> {
  const row = readRow(sql, decision.id, now);
  if (!row) return fail(unknownApproval());
  const { subject, permissions } = toRecord(row);
  if (decision.boundTo !== null && !visibleLayers(decision.boundTo).includes(subject.layer))
    return fail(unknownApproval());
  if (decision.duration === 'session' && row.session === null) {
    return fail({
      code: 'bad_request',
      detail: 'the question was asked outside of a session',
      hint: 'Approve it once, or for the revision.',
    });
  }
  const lasts = decision.approve && decision.duration === 'revision';
  sql.exec(
    'UPDATE approvals SET status = ?, duration = ?, decided_by = ?, decided_at = ?, expires_at = ? WHERE id = ?',
    decision.approve ? 'approved' : 'denied',
    decision.duration,
    decision.by.label,
    now,
    lasts ? now + ORG_LIMITS.revisionApprovalMilliseconds : row.expires_at,
    decision.id,
  );
  if (decision.approve && permissions !== null) noteApproved(sql, subject, permissions);
  const decided = readRow(sql, decision.id, now);
  return decided ? ok(toRecord(decided)) : fail(unknownApproval());
}

/** Uses an approval: one that was given for one call is then spent, but for the run that it was used for. */
export function spendApproval(
  sql: SqlStorage,
  id: string,
  subject: ApprovalSubject,
  session: string | null,
  run: string | null,
  now: number,
): Result<ApprovalRecord> {
  const covering = coveringApproval(sql, id, subject, session, now, run);
  if (covering.ok && covering.value.status === 'approved' && covering.value.duration === 'once')
    sql.exec(`UPDATE approvals SET status = 'spent', spent_by = ? WHERE id = ?`, run, id);
  return covering;
}

/**
 * An approval covers a call when it was given for the same skill, revision, reason and, where it is for one, session. Whoever
 * said yes to a skill's tools has not seen the rule that asks about it since.
 */
export function coveringApproval(
  sql: SqlStorage,
  id: string,
  subject: ApprovalSubject,
  session: string | null,
  now: number,
  run: string | null = null,
): Result<ApprovalRecord> {
  const row = readRow(sql, id, now);
  if (!row) return fail(unknownApproval());
  const record = toRecord(row);
  const same =
    record.subject.skill === subject.skill &&
    record.subject.layer === subject.layer &&
    record.subject.revision === subject.revision &&
    record.subject.reason === subject.reason &&
    (record.duration !== 'session' || record.session === session);
  if (!same) return fail({ ...unknownApproval(), detail: 'the approval was given for something else' });
  if (row.status === 'spent' && (run === null || row.spent_by !== run))
    return fail({
      code: 'approval_spent',
      detail: 'the approval was for one call, and is used',
      hint: 'Make the call without it to ask again.',
    });
  return ok(record);
}

function readRow(sql: SqlStorage, id: string, now: number): ApprovalRow | null {
  const [row] = sql.exec('SELECT * FROM approvals WHERE id = ? AND expires_at > ?', id, now).toArray();
  return row === undefined ? null : ApprovalRow.parse(row);
}

function toRecord(row: ApprovalRow): ApprovalRecord {
  const subject = parseJson(ApprovalSubject, row.subject);
  return ApprovalRecord.parse({
    id: row.id,
    status: row.status === 'spent' ? 'approved' : row.status,
    spent: row.status === 'spent',
    subject,
    askedAt: time(row.asked_at),
    permissions: row.permissions === null ? null : parseJson(SkillPermissions, row.permissions),
    upgrade: row.upgrade === null ? null : parseJson(PermissionUpgrade, row.upgrade),
    duration: row.duration,
    session: row.session,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at === null ? null : time(row.decided_at),
  });
}

export function unknownApproval(): Problem {
  return {
    code: 'approval_unknown',
    detail: 'no such approval',
    hint: 'Make the call without an approval; the answer names the one to ask for.',
  };
}

function time(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
