import type { AuditReport } from '../audit/audit-act.ts';
import { AUDIT_LIMITS } from '../core/limits.ts';
import { type BufferOptions, ReportBuffer } from './report-buffer.ts';

/** Denials of one isolate, on their way to the audit log. Of those that are alike the first is told, with their number. */
export class DenialBuffer extends ReportBuffer<AuditReport> {
  constructor(
    tell: BufferOptions<AuditReport>['tell'],
    milliseconds: number = AUDIT_LIMITS.flushMilliseconds,
  ) {
    super({
      tell,
      keyOf: ({ key }) => key,
      merge: (older, newer) => ({ ...older, times: older.times + newer.times }),
      most: AUDIT_LIMITS.bufferedDenials,
      milliseconds,
      lost: { event: 'denials_lost', what: 'denials' },
    });
  }
}
