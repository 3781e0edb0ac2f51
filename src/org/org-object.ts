import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import { ORG_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { ApprovalDecision, ApprovalRecord, ApprovalSubject } from '../invoke/approval.ts';
import type { ListedRun, RunPage } from '../invoke/run-list.ts';
import type { SkillUse } from '../invoke/skill-use.ts';
import { headMoved } from '../publish/push.ts';
import type { HeadMove } from '../publish/ports.ts';
import type { SecretInfo } from '../secret/secret.ts';
import { revisionKey, versionKey, viewKey } from '../store/keys.ts';
import { parseJson } from '../view/json-document.ts';
import { OrgSettings } from '../view/org-settings.ts';
import type { SkillCount, StoredSettings } from '../view/ports.ts';
import type { ViewRecord } from '../view/view-record.ts';
import {
  askApproval,
  coveringApproval,
  decideApproval,
  spendApproval,
  unknownApproval,
} from './approval-table.ts';
import { enqueueFeed, hasFeeds, sendFeeds } from './feed-table.ts';
import { hasStoodAt, missingBlobs, readHead, recordBlobs, writeHead } from './head-table.ts';
import { enqueue, hasCopies, sendNow, sendOutbox } from './outbox.ts';
import { listRuns, noteRun, sweepRuns } from './run-table.ts';
import { createSchema, hasSchema } from './schema.ts';
import { listSecrets, putSecret, readSecret, removeSecret, type SealedSecret } from './secret-table.ts';
import { countUses, mostUsed, nextSnapshot, readSnapshot, refreshSnapshot } from './usage-table.ts';

const SettingsRow = z.object({ revision: z.number(), value: z.string() });

/**
 * One for each organisation, and one for the shared layer: the only place where heads, settings, approvals and counts of
 * uses change.
 * Reads of a listing, a body or a stateless decision never come here; they read KV's copies.
 */
export class OrgObject extends DurableObject<Env> {
  #notedRuns = 0;
  #lastCopy: Promise<unknown> = Promise.resolve();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    // An organisation from before a table was thought of gets it now.
    if (hasSchema(this.#sql)) createSchema(this.#sql);
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  noteRun(boundTo: readonly Layer[] | null, run: ListedRun): void {
    this.ctx.storage.transactionSync(() => {
      if (!hasSchema(this.#sql)) createSchema(this.#sql);
      noteRun(this.#sql, boundTo, run);
      if (this.#notedRuns % ORG_LIMITS.runsBetweenSweeps === 0) sweepRuns(this.#sql, Date.now());
      this.#notedRuns += 1;
    });
  }

  listRuns(boundTo: readonly Layer[] | null, cursor: string | null, limit: number): RunPage {
    return hasSchema(this.#sql) ? listRuns(this.#sql, boundTo, cursor, limit) : { runs: [], next: null };
  }

  missing(digests: readonly Digest[]): Digest[] {
    return hasSchema(this.#sql) ? missingBlobs(this.#sql, digests) : [...digests];
  }

  recordBlobs(blobs: readonly { digest: Digest; size: number }[]): void {
    this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      recordBlobs(this.#sql, blobs);
    });
  }

  view(layer: Layer): ViewRecord {
    const stored = hasSchema(this.#sql);
    const usage = stored && layer === 'org' ? readSnapshot(this.#sql) : null;
    return {
      version: 1,
      layer,
      head: stored ? readHead(this.#sql, layer) : null,
      settings: layer === 'org' ? this.settings().settings : null,
      ...(usage ? { usage } : {}),
    };
  }

  hasPublished(layer: Layer, catalog: Digest): boolean {
    return hasSchema(this.#sql) && hasStoodAt(this.#sql, layer, catalog);
  }

  async moveHead(organisation: string, move: HeadMove): Promise<Result<ViewRecord>> {
    const { layer } = move;
    const moved = this.ctx.storage.transactionSync((): Result<ViewRecord> => {
      createSchema(this.#sql);
      const current = readHead(this.#sql, layer);
      if ((current?.catalog ?? null) !== move.expected)
        return fail(headMoved(layer, current?.catalog ?? null));
      const head = { ...move.head, sequence: (current?.sequence ?? 0) + 1 };
      writeHead(this.#sql, layer, head, move.by, Date.now());
      for (const entry of move.added) this.#rememberRevision(layer, organisation, entry);
      const record = this.view(layer);
      enqueue(this.#sql, viewKey(layer, organisation), JSON.stringify(record));
      enqueueFeed(this.#sql, layer, organisation);
      return ok(record);
    });
    if (moved.ok) await this.#copy(viewKey(layer, organisation));
    return moved;
  }

  settings(): StoredSettings {
    if (!hasSchema(this.#sql)) return { revision: 0, settings: null };
    const [row] = this.#sql.exec('SELECT revision, value FROM settings WHERE id = 1').toArray();
    if (row === undefined) return { revision: 0, settings: null };
    const { revision, value } = SettingsRow.parse(row);
    return { revision, settings: parseJson(OrgSettings, value) };
  }

  /** `expected`: the revision that the change was made from; null: whatever there is. */
  async putSettings(
    organisation: string,
    settings: OrgSettings,
    expected: number | null,
  ): Promise<Result<StoredSettings>> {
    const current = this.settings().revision;
    if (expected !== null && expected !== current) {
      return fail({
        code: 'settings_conflict',
        detail: 'the settings were changed since they were read',
        hint: 'Read them again, and send the change with the new ETag.',
        data: { revision: current },
      });
    }
    const revision = current + 1;
    this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      this.#sql.exec(
        'INSERT OR REPLACE INTO settings (id, revision, value) VALUES (1, ?, ?)',
        revision,
        JSON.stringify(settings),
      );
      enqueue(this.#sql, viewKey('org', organisation), JSON.stringify(this.view('org')));
    });
    await this.#copy(viewKey('org', organisation));
    return ok({ revision, settings });
  }

  askApproval(id: string, subject: ApprovalSubject, session: string | null): ApprovalRecord {
    return this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      return askApproval(this.#sql, id, subject, session, Date.now());
    });
  }

  decideApproval(decision: ApprovalDecision): Result<ApprovalRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownApproval());
    return this.ctx.storage.transactionSync(() => decideApproval(this.#sql, decision, Date.now()));
  }

  coveringApproval(id: string, subject: ApprovalSubject, session: string | null): Result<ApprovalRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownApproval());
    return coveringApproval(this.#sql, id, subject, session, Date.now());
  }

  spendApproval(id: string, subject: ApprovalSubject, session: string | null): Result<ApprovalRecord> {
    if (!hasSchema(this.#sql)) return fail(unknownApproval());
    return this.ctx.storage.transactionSync(() => spendApproval(this.#sql, id, subject, session, Date.now()));
  }

  putSecret(secret: SealedSecret): Result<null> {
    return this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      return putSecret(this.#sql, secret);
    });
  }

  readSecret(name: string): SealedSecret | null {
    return hasSchema(this.#sql) ? readSecret(this.#sql, name) : null;
  }

  removeSecret(name: string): Result<SecretInfo> {
    const known = this.listSecrets().find((secret) => secret.name === name);
    if (known === undefined) {
      return fail({
        code: 'secret_unknown',
        detail: `there is no secret ${name}`,
        hint: 'GET /v1/secrets has the names.',
      });
    }
    removeSecret(this.#sql, name);
    return ok(known);
  }

  listSecrets(): SecretInfo[] {
    return hasSchema(this.#sql) ? listSecrets(this.#sql) : [];
  }

  /** Counts uses of this organisation. The first makes a snapshot at once, later ones where the last is a day old. */
  async recordUses(organisation: string, uses: readonly SkillUse[]): Promise<void> {
    const fresh = this.ctx.storage.transactionSync(() => {
      createSchema(this.#sql);
      countUses(this.#sql, uses, Date.now());
      return this.#refreshSnapshot(organisation);
    });
    if (fresh) await this.#copy(viewKey('org', organisation));
    else await this.#wakeForSnapshot();
  }

  mostUsed(layers: readonly Layer[], after: Omit<SkillCount, 'usedAt'> | null, limit: number): SkillCount[] {
    return hasSchema(this.#sql) ? mostUsed(this.#sql, layers, after, limit) : [];
  }

  /**
   * Goes on with the copies that could not be made at once: a large publish has thousands. Never throws: an alarm that does
   * is repeated a few times only.
   */
  override async alarm(): Promise<void> {
    if (!hasSchema(this.#sql)) return;
    const due = nextSnapshot(this.#sql);
    if (due && due.at <= Date.now())
      this.ctx.storage.transactionSync(() => this.#refreshSnapshot(due.organisation));
    // First, and whatever becomes of it: a search index that cannot be told now is told later.
    const fed = await sendFeeds(this.#sql, this.env.SEARCH);
    const sent = await this.#sendOutbox();
    if (sent === 'some') await this.ctx.storage.setAlarm(Date.now());
    else if (sent === 'failed' || !fed)
      await this.ctx.storage.setAlarm(Date.now() + ORG_LIMITS.retryMilliseconds);
    else await this.#wakeForSnapshot();
  }

  async #sendOutbox(): Promise<'all' | 'some' | 'failed'> {
    try {
      return (await this.#inOrder(() => sendOutbox(this.#sql, this.env.KV))) ? 'all' : 'some';
    } catch (error) {
      logFault('copies_failed', { reason: String(error) });
      return 'failed';
    }
  }

  /** In a transaction. True where there is a new one, which is on its way to KV. */
  #refreshSnapshot(organisation: string): boolean {
    const fresh = refreshSnapshot(this.#sql, organisation, Date.now());
    if (fresh) enqueue(this.#sql, viewKey('org', organisation), JSON.stringify(this.view('org')));
    return fresh;
  }

  /**
   * An object has one alarm. Where it is set, or other work waits for it, it comes no later than the next snapshot is due,
   * and ends with this; so nothing is ever put off for a snapshot.
   */
  async #wakeForSnapshot(): Promise<void> {
    const alarm = await this.ctx.storage.getAlarm();
    const due = nextSnapshot(this.#sql);
    if (alarm !== null || due === null || hasCopies(this.#sql) || hasFeeds(this.#sql)) return;
    await this.ctx.storage.setAlarm(due.at);
  }

  /** One copy after the other: two on their way at once could arrive in either order, and the older one last. */
  #inOrder<Value>(copy: () => Promise<Value>): Promise<Value> {
    const next = this.#lastCopy.then(copy, copy);
    this.#lastCopy = next.catch(() => null);
    return next;
  }

  #rememberRevision(layer: Layer, organisation: string, entry: CatalogEntry): void {
    const value = JSON.stringify(entry);
    enqueue(this.#sql, revisionKey(layer, organisation, entry.revision), value);
    if (entry.version !== null)
      enqueue(this.#sql, versionKey(layer, organisation, entry.name, entry.version), value);
  }

  /** The view first and at once; everything else, and the view should KV refuse it now, by alarm. */
  async #copy(key: string): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now());
    try {
      await this.#inOrder(() => sendNow(this.#sql, this.env.KV, key));
    } catch (error) {
      logFault('view_copy_failed', { key, reason: String(error) });
    }
  }
}
