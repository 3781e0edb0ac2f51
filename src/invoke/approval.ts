import { z } from 'zod';
import type { AuditActor } from '../audit/audit-act.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf, hexOf } from '../core/digest.ts';
import type { Layer } from '../catalog/layers.ts';
import type { Result } from '../core/result.ts';
import { SkillPermissions } from '../compile/skill-permissions.ts';
import { PermissionUpgrade } from './permission-upgrade.ts';

/** How far an approval reaches: one call, the calls of one session, or every call of this very revision. */
export const ApprovalDuration = z.enum(['once', 'session', 'revision']);
export type ApprovalDuration = z.infer<typeof ApprovalDuration>;

/** What a person is asked about. It names the revision: new bytes are a new question. */
export const ApprovalSubject = z.strictObject({
  skill: z.string(),
  layer: z.string(),
  revision: z.string(),
  /** What the question was about, as it was shown. */
  reason: z.string(),
});
export type ApprovalSubject = z.infer<typeof ApprovalSubject>;

/** A question with what the person who answers it is shown. */
export interface ApprovalQuestion {
  readonly id: string;
  readonly subject: ApprovalSubject;
  readonly session: string | null;
  readonly permissions: SkillPermissions;
}

export const ApprovalStatus = z.enum(['pending', 'approved', 'denied']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

export const ApprovalRecord = z.strictObject({
  id: z.string(),
  status: ApprovalStatus,
  /** True where it was for one call, and that was made. */
  spent: z.boolean(),
  subject: ApprovalSubject,
  askedAt: z.string(),
  /** Exactly what the person was shown; null in a question from before that was noted. */
  permissions: SkillPermissions.nullable(),
  /** Null where no other revision was approved or published before, as far as is known. */
  upgrade: PermissionUpgrade.nullable(),
  duration: ApprovalDuration.nullable(),
  session: z.string().nullable(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
});
export type ApprovalRecord = z.infer<typeof ApprovalRecord>;

/** The same question always has the same id, so that asking again makes no second one. */
export function approvalId(organisation: string, subject: ApprovalSubject, session: string | null): string {
  return `apr_${hexOf(digestOf(canonicalJson({ organisation, subject, session }))).slice(0, 32)}`;
}

export interface ApprovalDecision {
  readonly id: string;
  readonly approve: boolean;
  readonly duration: ApprovalDuration;
  readonly by: AuditActor;
  /** What the token is bound to; null: any layer. */
  readonly boundTo: readonly Layer[] | null;
}

export interface ApprovalQuery {
  /** Null: whatever became of them. */
  readonly status: ApprovalStatus | null;
  readonly boundTo: readonly Layer[] | null;
  /** The last one that was read. */
  readonly after: Pick<ApprovalRecord, 'askedAt' | 'id'> | null;
  readonly limit: number;
}

export interface Approvals {
  /** Notes a question; what was decided about it before stays. */
  ask(organisation: string, question: ApprovalQuestion): Promise<ApprovalRecord>;
  /** The newest first. */
  list(organisation: string, query: ApprovalQuery): Promise<ApprovalRecord[]>;
  /** `approval_unknown` for one that nobody asked. */
  decide(organisation: string, decision: ApprovalDecision): Promise<Result<ApprovalRecord>>;
  /** What `use` would answer, without using anything up. */
  look(
    organisation: string,
    id: string,
    subject: ApprovalSubject,
    session: string | null,
  ): Promise<Result<ApprovalRecord>>;
  /**
   * Uses an approval for one call: `approval_unknown` where it does not cover the call, `approval_spent` where it is used up.
   * `run`: what the call starts, where a repeat of it starts the same; what a run used is not used up for it.
   */
  use(
    organisation: string,
    id: string,
    subject: ApprovalSubject,
    session: string | null,
    run: string | null,
  ): Promise<Result<ApprovalRecord>>;
}
