import type { Layer } from '../catalog/layers.ts';
import { ORG_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import type { ViewRecord } from '../view/view-record.ts';
import { hasFeeds, sendFeeds } from './feed-table.ts';
import { enqueueView, hasCopies, sendNow, sendOutbox } from './outbox.ts';
import { nextSnapshot, refreshSnapshot } from './usage-table.ts';

/** What others are told of an organisation's changes, at once or by its alarm: KV, search indexes, and the daily snapshot. */
export class Copies {
  readonly #state: DurableObjectState;
  readonly #services: () => Pick<Env, 'KV' | 'SEARCH'>;
  readonly #viewText: (layer: Layer) => string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    state: DurableObjectState,
    services: () => Pick<Env, 'KV' | 'SEARCH'>,
    viewOf: (layer: Layer) => ViewRecord,
  ) {
    this.#state = state;
    this.#services = services;
    this.#viewText = (layer) => JSON.stringify(viewOf(layer));
  }

  get #sql(): SqlStorage {
    return this.#state.storage.sql;
  }

  /** The view first and at once; everything else, and the view should KV refuse it now, by alarm. */
  async send(key: string): Promise<void> {
    await this.#state.storage.setAlarm(Date.now());
    try {
      await this.#inOrder(() => sendNow(this.#sql, this.#services().KV, this.#viewText, key));
    } catch (error) {
      logFault('view_copy_failed', { key, reason: String(error) });
    }
  }

  /**
   * Goes on with the copies that could not be made at once: a large publish has thousands. Never throws: an alarm that does
   * is repeated a few times only.
   */
  async goOn(): Promise<void> {
    const { storage } = this.#state;
    const due = nextSnapshot(this.#sql);
    if (due && due.at <= Date.now()) storage.transactionSync(() => this.refreshSnapshot(due.organisation));
    // First, and whatever becomes of it: a search index that cannot be told now is told later.
    const fed = await sendFeeds(this.#sql, this.#services().SEARCH);
    const sent = await this.#sendOutbox();
    if (sent === 'some') await storage.setAlarm(Date.now());
    else if (sent === 'failed' || !fed) await storage.setAlarm(Date.now() + ORG_LIMITS.retryMilliseconds);
    else await this.wakeForSnapshot();
  }

  /** In a transaction. True where there is a new one, which is on its way to KV. */
  refreshSnapshot(organisation: string): boolean {
    const fresh = refreshSnapshot(this.#sql, organisation, Date.now());
    if (fresh) enqueueView(this.#sql, 'org', organisation);
    return fresh;
  }

  /**
   * An object has one alarm. Where it is set, or other work waits for it, it comes no later than the next snapshot is due,
   * and ends with this; so nothing is ever put off for a snapshot.
   */
  async wakeForSnapshot(): Promise<void> {
    const alarm = await this.#state.storage.getAlarm();
    const due = nextSnapshot(this.#sql);
    if (alarm !== null || due === null || hasCopies(this.#sql) || hasFeeds(this.#sql)) return;
    await this.#state.storage.setAlarm(due.at);
  }

  async #sendOutbox(): Promise<'all' | 'some' | 'failed'> {
    try {
      const done = await this.#inOrder(() => sendOutbox(this.#sql, this.#services().KV, this.#viewText));
      return done ? 'all' : 'some';
    } catch (error) {
      logFault('copies_failed', { reason: String(error) });
      return 'failed';
    }
  }

  /** One copy after the other: two on their way at once could arrive in either order, and the older one last. */
  #inOrder<Value>(copy: () => Promise<Value>): Promise<Value> {
    const next = this.#last.then(copy, copy);
    this.#last = next.catch(() => null);
    return next;
  }
}
