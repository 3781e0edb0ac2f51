import { DurableObject } from 'cloudflare:workers';
import { z } from 'zod';
import { Layer, type Space } from '../catalog/layers.ts';
import { DigestSchema } from '../catalog/revision.ts';
import type { Digest } from '../core/digest.ts';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import { blobStore } from '../store/blob-store.ts';
import type { LayerSearch, SearchQuery } from '../view/ports.ts';
import { stepTowards } from './catalog-steps.ts';
import { searchLayer } from './search-layer.ts';
import { createIndex, hasIndex } from './search-schema.ts';
import { rowsOf } from './sql.ts';

/** Where a head stands: what the index has to follow. */
export interface Standing {
  readonly layer: Layer;
  readonly space: Space;
  readonly catalog: Digest;
  /** Counts the head's moves: news can arrive late, or twice. */
  readonly sequence: number;
}

const StandingRow = z.object({
  layer: Layer,
  space: z.custom<Space>((value) => typeof value === 'string' && /^(?:bundled$|o\/)/.test(value)),
  wanted: DigestSchema,
  sequence: z.number(),
  reached: DigestSchema.nullable(),
  attempts: z.number(),
});
type StandingRow = z.infer<typeof StandingRow>;

const EMPTY: LayerSearch = { catalog: null, skills: 0, length: 0, terms: [], hits: [] };

/**
 * One for each layer of an organisation, and one for the shared layer: an index of its skills in SQLite. It is told where
 * the head stands and reads the rest itself, by alarms, a bounded part at a time; until it is there, it answers from
 * what it has and says so.
 */
export class SearchObject extends DurableObject<Env> {
  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  /** Notes where the head stands. Answered as soon as that is stored; the work comes after. */
  async follow({ layer, space, catalog, sequence }: Standing): Promise<void> {
    const current = this.#standing();
    if (current && current.sequence >= sequence) return;
    this.ctx.storage.transactionSync(() => {
      createIndex(this.#sql);
      this.#sql.exec(
        `INSERT INTO standing (id, layer, space, wanted, sequence, reached, attempts) VALUES (1, ?, ?, ?, ?, NULL, 0)
          ON CONFLICT (id) DO UPDATE SET wanted = excluded.wanted, sequence = excluded.sequence, attempts = 0`,
        layer,
        space,
        catalog,
        sequence,
      );
    });
    await this.ctx.storage.setAlarm(Date.now());
  }

  search(query: SearchQuery): LayerSearch {
    const standing = this.#standing();
    return standing ? { catalog: standing.reached, ...searchLayer(this.#sql, query) } : EMPTY;
  }

  override async alarm(): Promise<void> {
    const standing = this.#standing();
    // Also where it stands there: it may have been on its way to somewhere else meanwhile.
    if (!standing) return;
    try {
      if (!(await this.#step(standing))) await this.ctx.storage.setAlarm(Date.now());
    } catch (error) {
      // Never given up: an alarm that throws is repeated a few times only.
      logFault('search_index_failed', { catalog: standing.wanted, reason: String(error) });
      this.#sql.exec('UPDATE standing SET attempts = attempts + 1');
      await this.ctx.storage.setAlarm(Date.now() + retryDelay(standing.attempts));
    }
  }

  /** One step; true when the index stands where the head does. */
  async #step({ space, wanted }: StandingRow): Promise<boolean> {
    const done = await stepTowards(this.#sql, blobStore(this.env), { space, catalog: wanted }, (work) =>
      this.ctx.storage.transactionSync(work),
    );
    if (done) this.#sql.exec('UPDATE standing SET reached = ?, attempts = 0', wanted);
    // The head may have moved meanwhile; what was reached is then no longer what is wanted.
    return done && this.#standing()?.wanted === wanted;
  }

  #standing(): StandingRow | null {
    if (!hasIndex(this.#sql)) return null;
    const [row] = rowsOf(this.#sql, StandingRow, 'SELECT * FROM standing');
    return row ?? null;
  }
}

function retryDelay(attempts: number): number {
  return Math.min(
    SEARCH_LIMITS.longestRetryMilliseconds,
    SEARCH_LIMITS.retryMilliseconds * 2 ** Math.min(attempts, 16),
  );
}
