import { z } from 'zod';
import { ORG_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import {
  type ApprovalDecision,
  ApprovalDuration,
  ApprovalRecord,
  ApprovalSubject,
} from '../invoke/approval.ts';
import { parseJson } from '../view/json-document.ts';

const ApprovalRow = z.object({
  id: z.string(),
  status: z.enum(['pending', 'approved', 'denied', 'spent']),
  subject: z.string(),
  duration: ApprovalDuration.nullable(),
  session: z.string().nullable(),
  decided_by: z.string().nullable(),
  decided_at: z.number().nullable(),
  expires_at: z.number(),
});
type ApprovalRow = z.infer<typeof ApprovalRow>;

/** Notes a question. One that was decided already stays decided; one that is spent or expired is asked anew. */
export function askApproval(
  sql: SqlStorage,
  id: string,
  subject: ApprovalSubject,
  session: string | null,
  now: number,
): ApprovalRecord {
  const current = readRow(sql, id, now);
  if (!current || current.status === 'spent') {
    sql.exec('DELETE FROM approvals WHERE expires_at <= ?', now);
    sql.exec(
      `INSERT OR REPLACE INTO approvals (id, status, subject, session, expires_at) VALUES (?, 'pending', ?, ?, ?)`,
      id,
      JSON.stringify(subject),
      session,
      now + ORG_LIMITS.approvalMilliseconds,
    );
    // Questions are cheap to ask; the oldest give way.
    sql.exec(
      'DELETE FROM approvals WHERE id NOT IN (SELECT id FROM approvals ORDER BY expires_at DESC LIMIT ?)',
      ORG_LIMITS.approvals,
    );
  }
  const row = readRow(sql, id, now);
  return row
    ? toRecord(row)
    : { id, status: 'pending', subject, duration: null, session, decidedBy: null, decidedAt: null };
}

export function decideApproval(
  sql: SqlStorage,
  decision: ApprovalDecision,
  now: number,
): Result<ApprovalRecord> {
  const row = readRow(sql, decision.id, now);
  if (!row) return fail(unknownApproval());
  if (decision.duration === 'session' && row.session === null) {
    return fail({
      code: 'bad_request',
      detail: 'the question was asked outside of a session',
      hint: 'Approve it once, or for the revision.',
    });
  }
  sql.exec(
    'UPDATE approvals SET status = ?, duration = ?, decided_by = ?, decided_at = ? WHERE id = ?',
    decision.approve ? 'approved' : 'denied',
    decision.duration,
    decision.by.label,
    now,
    decision.id,
  );
  const decided = readRow(sql, decision.id, now);
  return decided ? ok(toRecord(decided)) : fail(unknownApproval());
}

/** Uses an approval: one that was given for one call is then spent. */
export function spendApproval(
  sql: SqlStorage,
  id: string,
  subject: ApprovalSubject,
  session: string | null,
  now: number,
): Result<ApprovalRecord> {
  const covering = coveringApproval(sql, id, subject, session, now);
  if (covering.ok && covering.value.status === 'approved' && covering.value.duration === 'once')
    sql.exec(`UPDATE approvals SET status = 'spent' WHERE id = ?`, id);
  return covering;
}

/** An approval covers a call when it was given for the same skill, revision and, where it is for one, session. */
export function coveringApproval(
  sql: SqlStorage,
  id: string,
  subject: ApprovalSubject,
  session: string | null,
  now: number,
): Result<ApprovalRecord> {
  const row = readRow(sql, id, now);
  if (!row) return fail(unknownApproval());
  const record = toRecord(row);
  const same =
    record.subject.skill === subject.skill &&
    record.subject.layer === subject.layer &&
    record.subject.revision === subject.revision &&
    (record.duration !== 'session' || record.session === session);
  if (!same) return fail({ ...unknownApproval(), detail: 'the approval was given for something else' });
  if (row.status === 'spent')
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
    subject,
    duration: row.duration,
    session: row.session,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at === null ? null : new Date(row.decided_at).toISOString(),
  });
}

export function unknownApproval(): Problem {
  return {
    code: 'approval_unknown',
    detail: 'no such approval',
    hint: 'Make the call without an approval; the answer names the one to ask for.',
  };
}
