import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { type AuditAct, type AuditActor, AuditReport } from '../audit/audit-act.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { type Layer, type Space, spaceOf } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import { AUDIT_LIMITS, ORG_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type {
  ApprovalDecision,
  ApprovalQuery,
  ApprovalQuestion,
  ApprovalRecord,
  ApprovalSubject,
} from '../invoke/approval.ts';
import type { RunNews, RunPage } from '../invoke/runs/run-list.ts';
import type { SkillUse } from '../invoke/skill-use.ts';
import { headMoved } from '../publish/push.ts';
import type { HeadMove } from '../publish/ports.ts';
import {
  type HeldSkill,
  type QuarantineAnswer,
  type QuarantineQuery,
  type QuarantineRecord,
  type QuarantineStatus,
  unknownHeld,
} from '../publish/quarantine.ts';
import type { SecretInfo } from '../secret/secret.ts';
import { revisionKey, versionKey, viewKey } from '../store/keys.ts';
import type { OrgSettings } from '../view/settings/org-settings.ts';
import type { AuditPage, PolicyChange, SkillCount, StoredPolicy, StoredSettings } from '../view/ports.ts';
import type { ViewRecord } from '../view/view-record.ts';
import {
  askApproval,
  coveringApproval,
  decideApproval,
  listApprovals,
  spendApproval,
  standingApproval,
  unknownApproval,
} from './approval-table.ts';
import {
  approvalDecidedAct,
  headMovedAct,
  heldSkillJudgedAct,
  policyChangedAct,
  secretChangedAct,
  settingsChangedAct,
  skillsHeldAct,
} from './audit-acts.ts';
import { recordReports } from './audit-reports.ts';
import { appendAct, readLogPage } from './audit-table.ts';
import { Copies } from './copies.ts';
import { enqueueFeed } from './feed-table.ts';
import { hasStoodAt, missingBlobs, readHead, readMark, recordBlobs, writeHead } from './head-table.ts';
import { headAfter, type HeadMark, type HeadStep, isSameMark, markOf } from './head-step.ts';
import { enqueue, enqueueView } from './outbox.ts';
import { permissionUpgrade } from './permission-upgrade.ts';
import { putPolicy, readPolicy } from './policy-table.ts';
import {
  holdSkills,
  judgeHeld,
  listHeld,
  lookHeld,
  noteHeldPublished,
  readHeld,
} from './quarantine-table.ts';
import { notePublished, publishedBefore } from './revision-table.ts';
import { listRuns, noteRun, sweepRuns } from './run-table.ts';
import { createSchema, hasSchema, migrateSchema } from './schema.ts';
import { listSecrets, putSecret, readSecret, removeSecret, type SealedSecret } from './secret-table.ts';
import { putSettings, readSettings } from './settings-table.ts';
import { countUses, mostUsed, readSnapshot } from './usage-table.ts';

/** A view without its head, which whoever asked has, all but the mark; null: the record is whole. */
export interface BriefView {
  readonly record: ViewRecord;
  readonly mark: HeadMark | null;
}

/**
 * One for each organisation, and one for the shared layer: the only place where heads, settings, rules, approvals and
 * counts of uses change, and where the audit log is kept.
 * Reads of a listing, a body or a stateless decision never come here; they read KV's copies.
 */
export class OrgObject extends DurableObject<Env> {
  #notedRuns = 0;
  readonly #copies = new Copies(
    this.ctx,
    () => this.env,
    (layer) => this.view(layer),
  );

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An organisation from before a table or a column was thought of gets it now.
    if (hasSchema(this.#sql)) migrateSchema(this.#sql);
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  /** The list and the audit log in one write. */
  noteRun(organisation: string, { listed, reports }: RunNews): void {
    this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      if (listed !== null) {
        noteRun(this.#sql, listed.boundTo, listed.run);
        if (this.#notedRuns % ORG_LIMITS.runsBetweenSweeps === 0) sweepRuns(this.#sql, Date.now());
        this.#notedRuns += 1;
      }
      if (reports.length > 0) this.#report(organisation, reports);
    });
  }

  listRuns(boundTo: readonly Layer[] | null, cursor: string | null, limit: number): RunPage {
    return hasSchema(this.#sql) ? listRuns(this.#sql, boundTo, cursor, limit) : { runs: [], next: null };
  }

  missing(layer: Layer, digests: readonly Digest[]): Digest[] {
    return hasSchema(this.#sql) ? missingBlobs(this.#sql, layer, digests) : [...digests];
  }

  recordBlobs(layer: Layer, blobs: readonly { digest: Digest; size: number }[]): void {
    this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      recordBlobs(this.#sql, layer, blobs);
    });
  }

  view(layer: Layer): ViewRecord {
    const head = hasSchema(this.#sql) ? readHead(this.#sql, layer) : null;
    return { ...this.#headless(layer), head };
  }

  /** The view, for somebody who has the head of a mark: it is left out where the layer still stands there. */
  viewSince(layer: Layer, known: HeadMark): BriefView {
    const mark = hasSchema(this.#sql) ? readMark(this.#sql, layer) : null;
    if (!mark || !isSameMark(mark, known)) return { record: this.view(layer), mark: null };
    return { record: this.#headless(layer), mark };
  }

  #headless(layer: Layer): ViewRecord {
    const stored = hasSchema(this.#sql);
    const usage = stored && layer === 'org' ? readSnapshot(this.#sql) : null;
    const policy = stored ? readPolicy(this.#sql, layer).rules : [];
    return {
      version: 1,
      layer,
      head: null,
      settings: layer === 'org' ? this.settings().settings : null,
      ...(usage ? { usage } : {}),
      ...(policy.length > 0 ? { policy: [...policy] } : {}),
    };
  }

  hasPublished(layer: Layer, catalog: Digest): boolean {
    return hasSchema(this.#sql) && hasStoodAt(this.#sql, layer, catalog);
  }

  /** `moveHead`, told and answered by the head before; null where the layer is not at the one that the step is from. */
  async stepHead(
    organisation: string,
    { step, ...move }: Omit<HeadMove, 'head'> & { step: HeadStep },
  ): Promise<Result<BriefView> | null> {
    const { layer } = move;
    const before = hasSchema(this.#sql) ? readHead(this.#sql, layer) : null;
    if (!before || !isSameMark(before, step.from)) return null;
    const moved = await this.moveHead(organisation, { ...move, head: headAfter(before, step) });
    if (!moved.ok) return moved;
    const { head, ...record } = moved.value;
    return ok({ record: { ...record, head: null }, mark: head && markOf(head) });
  }

  async moveHead(organisation: string, move: HeadMove): Promise<Result<ViewRecord>> {
    const { layer } = move;
    const moved = this.ctx.storage.transactionSync((): Result<ViewRecord> => {
      createSchema(this.#sql);
      const current = readHead(this.#sql, layer);
      if ((current?.catalog ?? null) !== move.expected)
        return fail(headMoved(layer, current?.catalog ?? null));
      const head = { ...move.head, sequence: (current?.sequence ?? 0) + 1 };
      writeHead(this.#sql, layer, head, move.by.label, Date.now());
      this.#audit(layer, organisation, move.by, headMovedAct(move, head.sequence));
      for (const entry of move.added) {
        this.#rememberRevision(layer, organisation, entry);
        notePublished(this.#sql, layer, entry);
      }
      enqueueView(this.#sql, layer, organisation);
      enqueueFeed(this.#sql, layer, organisation);
      return ok(this.view(layer));
    });
    if (moved.ok) await this.#copies.send(viewKey(layer, organisation));
    return moved;
  }

  settings(): StoredSettings {
    return hasSchema(this.#sql) ? readSettings(this.#sql) : { revision: 0, settings: null };
  }

  /** `expected`: the revision that the change was made from; null: whatever there is. */
  async putSettings(
    organisation: string,
    settings: OrgSettings,
    expected: number | null,
    by: AuditActor,
  ): Promise<Result<StoredSettings>> {
    const put = this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      const before = readSettings(this.#sql);
      const stored = putSettings(this.#sql, before, settings, expected);
      if (!stored.ok) return stored;
      enqueueView(this.#sql, 'org', organisation);
      const act = settingsChangedAct(stored.value.revision, before.settings, settings);
      this.#audit('org', organisation, by, act);
      return stored;
    });
    if (put.ok) await this.#copies.send(viewKey('org', organisation));
    return put;
  }

  policy(layer: Layer): StoredPolicy {
    return hasSchema(this.#sql) ? readPolicy(this.#sql, layer) : { revision: 0, rules: [] };
  }

  async putPolicy(organisation: string, change: PolicyChange): Promise<Result<StoredPolicy>> {
    const { layer } = change;
    const key = viewKey(layer, organisation);
    const put = this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      const before = readPolicy(this.#sql, layer);
      const stored = putPolicy(this.#sql, before, change, Date.now());
      if (!stored.ok) return stored;
      enqueueView(this.#sql, layer, organisation);
      this.#audit(layer, organisation, change.by, policyChangedAct(layer, before, stored.value));
      return stored;
    });
    if (put.ok) await this.#copies.send(key);
    return put;
  }

  async askApproval(organisation: string, question: ApprovalQuestion): Promise<ApprovalRecord> {
    createSchema(this.#sql);
    const standing = standingApproval(this.#sql, question.id, Date.now());
    if (standing) return standing;
    const upgrade = await permissionUpgrade(this.#sql, this.env, organisation, question);
    return this.ctx.storage.transactionSync(() => askApproval(this.#sql, question, upgrade, Date.now()));
  }

  approvals(query: ApprovalQuery): ApprovalRecord[] {
    return hasSchema(this.#sql) ? listApprovals(this.#sql, query, Date.now()) : [];
  }

  /** What was published of a skill before this revision. */
  publishedBefore(
    subject: Pick<ApprovalSubject, 'layer' | 'skill'>,
    revision: string,
  ): ReturnType<typeof publishedBefore> {
    return hasSchema(this.#sql) ? publishedBefore(this.#sql, subject, revision) : null;
  }

  decideApproval(organisation: string, decision: ApprovalDecision): Result<ApprovalRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownApproval());
    return this.ctx.storage.transactionSync(() => {
      const decided = decideApproval(this.#sql, decision, Date.now());
      if (decided.ok)
        this.#audit('org', organisation, decision.by, approvalDecidedAct(decision, decided.value.subject));
      return decided;
    });
  }

  coveringApproval(id: string, subject: ApprovalSubject, session: string | null): Result<ApprovalRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownApproval());
    return coveringApproval(this.#sql, id, subject, session, Date.now());
  }

  spendApproval(
    id: string,
    subject: ApprovalSubject,
    session: string | null,
    run: string | null,
  ): Result<ApprovalRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownApproval());
    return this.ctx.storage.transactionSync(() =>
      spendApproval(this.#sql, id, subject, session, run, Date.now()),
    );
  }

  /** Keeps skills that may not be published for a person. */
  holdSkills(organisation: string, skills: readonly HeldSkill[], by: AuditActor): QuarantineStatus[] {
    return this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      const fresh = holdSkills(this.#sql, skills, Date.now());
      // The same push made again has nothing new to tell.
      if (fresh[0]) this.#audit('org', organisation, by, skillsHeldAct(fresh[0].layer, fresh));
      return this.lookHeld(skills.map(({ id }) => id));
    });
  }

  lookHeld(ids: readonly string[]): QuarantineStatus[] {
    return hasSchema(this.#sql) ? lookHeld(this.#sql, ids, Date.now()) : ids.map(() => 'held' as const);
  }

  listHeld(query: QuarantineQuery): QuarantineRecord[] {
    return hasSchema(this.#sql) ? listHeld(this.#sql, query, Date.now()) : [];
  }

  readHeld(id: string): QuarantineRecord | null {
    return hasSchema(this.#sql) ? readHeld(this.#sql, id, Date.now()) : null;
  }

  /** A person's answer about a held skill. */
  judgeHeld(organisation: string, answer: QuarantineAnswer): Result<QuarantineRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownHeld());
    return this.ctx.storage.transactionSync(() => {
      const before = this.readHeld(answer.id)?.status;
      const judged = judgeHeld(this.#sql, answer, Date.now());
      if (judged.ok && before !== answer.status) {
        const act = heldSkillJudgedAct(answer.id, answer.status, judged.value);
        this.#audit('org', organisation, answer.by, act);
      }
      return judged;
    });
  }

  noteHeldPublished(id: string, catalog: Digest): void {
    noteHeldPublished(this.#sql, id, catalog);
  }

  auditPage(space: Space, after: number, limit: number): AuditPage | null {
    return readLogPage(hasSchema(this.#sql) ? this.#sql : null, space, after, limit);
  }

  /** Records what happened outside of this object: told again it is the same, and stays one record. */
  recordReports(organisation: string, reports: readonly AuditReport[]): void {
    this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      this.#report(organisation, reports);
    });
  }

  putSecret(organisation: string, secret: SealedSecret, by: AuditActor): Result<null> {
    return this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      const stored = putSecret(this.#sql, secret);
      if (stored.ok) this.#audit('org', organisation, by, secretChangedAct(secret.name, 'put'));
      return stored;
    });
  }

  readSecret(name: string): SealedSecret | null {
    return hasSchema(this.#sql) ? readSecret(this.#sql, name) : null;
  }

  removeSecret(organisation: string, name: string, by: AuditActor): Result<SecretInfo> {
    const known = this.listSecrets().find((secret) => secret.name === name);
    if (known === undefined) {
      return fail({
        code: 'secret_unknown',
        detail: `there is no secret ${name}`,
        hint: 'GET /v1/secrets has the names.',
      });
    }
    return this.ctx.storage.transactionSync(() => {
      removeSecret(this.#sql, name);
      this.#audit('org', organisation, by, secretChangedAct(name, 'removed'));
      return ok(known);
    });
  }

  listSecrets(): SecretInfo[] {
    return hasSchema(this.#sql) ? listSecrets(this.#sql) : [];
  }

  /** Counts uses of this organisation. The first makes a snapshot at once, later ones where the last is a day old. */
  async recordUses(organisation: string, uses: readonly SkillUse[]): Promise<void> {
    const fresh = this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      countUses(this.#sql, uses, Date.now());
      return this.#copies.refreshSnapshot(organisation);
    });
    if (fresh) await this.#copies.send(viewKey('org', organisation));
    else await this.#copies.wakeForSnapshot();
  }

  mostUsed(layers: readonly Layer[], after: Omit<SkillCount, 'usedAt'> | null, limit: number): SkillCount[] {
    return hasSchema(this.#sql) ? mostUsed(this.#sql, layers, after, limit) : [];
  }

  override async alarm(): Promise<void> {
    if (hasSchema(this.#sql)) await this.#copies.goOn();
  }

  #report(organisation: string, reports: readonly AuditReport[]): void {
    const checked = z.array(AuditReport).max(AUDIT_LIMITS.reportsAtOnce).parse(reports);
    recordReports(this.#sql, spaceOf('org', organisation), checked, Date.now());
  }

  /** In the transaction of the act itself. */
  #audit(layer: Layer, organisation: string, actor: AuditActor, act: AuditAct): void {
    appendAct(this.#sql, spaceOf(layer, organisation), { actor, act, at: Date.now() });
  }

  #rememberRevision(layer: Layer, organisation: string, entry: CatalogEntry): void {
    const value = JSON.stringify(entry);
    enqueue(this.#sql, revisionKey(layer, organisation, entry.revision), value);
    if (entry.version !== null)
      enqueue(this.#sql, versionKey(layer, organisation, entry.name, entry.version), value);
  }
}
