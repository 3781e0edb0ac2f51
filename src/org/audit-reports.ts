import { z } from 'zod';
import type { AuditReport } from '../audit/audit-act.ts';
import type { Space } from '../catalog/layers.ts';
import { AUDIT_LIMITS } from '../core/limits.ts';
import { appendAct } from './audit-table.ts';

const HOUR = 60 * 60 * 1000;
const CountRow = z.object({ denials: z.number() });

/**
 * Records what was told from outside, in a transaction. It is told again when an answer is lost, and recorded once. Whoever
 * is denied can try again as often as it likes: that must not push everything else out of the log.
 */
export function recordReports(
  sql: SqlStorage,
  space: Space,
  reports: readonly AuditReport[],
  now: number,
): void {
  sql.exec('DELETE FROM audit_denials WHERE at <= ?', now - HOUR);
  for (const report of reports) {
    const { act } = report;
    if (act.act === 'skill_denied') recordDenial(sql, space, { ...report, act }, now);
    else if (!isRecorded(sql, report.key)) appendAct(sql, space, { ...report, report: report.key });
  }
}

type Denial = AuditReport & { readonly act: Extract<AuditReport['act'], { readonly act: 'skill_denied' }> };

function recordDenial(sql: SqlStorage, space: Space, denial: Denial, now: number): void {
  const { key, actor, act, at, times } = denial;
  const repeated = countRows(
    sql,
    'SELECT COUNT(*) AS denials FROM audit_denials WHERE key = ? AND at > ?',
    key,
    now - AUDIT_LIMITS.repeatMilliseconds,
  );
  const recorded = countRows(sql, 'SELECT COUNT(*) AS denials FROM audit_denials');
  if (repeated > 0 || recorded >= AUDIT_LIMITS.denialsPerHour) return leaveOut(sql, times);
  const unrecorded = countRows(sql, 'SELECT denials FROM audit_unrecorded');
  sql.exec('INSERT INTO audit_denials (key, at) VALUES (?, ?)', key, now);
  if (unrecorded > 0) sql.exec('DELETE FROM audit_unrecorded');
  appendAct(sql, space, { actor, act: { ...act, details: { ...act.details, unrecorded } }, at });
  // The others like it came behind it.
  if (times > 1) leaveOut(sql, times - 1);
}

function leaveOut(sql: SqlStorage, denials: number): void {
  sql.exec(
    `INSERT INTO audit_unrecorded (id, denials) VALUES (1, ?)
      ON CONFLICT (id) DO UPDATE SET denials = denials + excluded.denials`,
    denials,
  );
}

function countRows(sql: SqlStorage, query: string, ...values: readonly (string | number)[]): number {
  const [row] = sql.exec(query, ...values).toArray();
  return row === undefined ? 0 : CountRow.parse(row).denials;
}

function isRecorded(sql: SqlStorage, key: string): boolean {
  return sql.exec('SELECT 1 FROM audit WHERE report = ?', key).toArray().length > 0;
}
