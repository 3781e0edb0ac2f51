import { z } from 'zod';
import { RUN_LIMITS } from '../core/limits.ts';
import { type RunEvent, RunEventBody } from '../invoke/runs/run-event.ts';

export const EVENTS_SCHEMA =
  'CREATE TABLE event_batch (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, bytes INTEGER NOT NULL, events TEXT NOT NULL)';

/** Made when it is needed: few runs have others below them. */
const TOLD_WAITS = 'CREATE TABLE IF NOT EXISTS told_wait (wait TEXT PRIMARY KEY) WITHOUT ROWID';

const Batch = z.strictObject({ last: z.int(), at: z.number(), events: z.string() });
const Bodies = z.array(RunEventBody);

/** What a run did, in order, a batch in a row: one row for each event costs twelve times as much. */
export class EventTable {
  readonly #sql: SqlStorage;
  #end: { last: number; bytes: number } | null = null;
  /** The latest events without a gap, as far as they are kept in memory. */
  #recent: RunEvent[] = [];
  #recentCharacters = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** For a table that was made just now. */
  create(): void {
    this.#end = { last: 0, bytes: 0 };
  }

  forget(): void {
    this.#end = null;
    this.#recent = [];
    this.#recentCharacters = 0;
  }

  /** The number of the latest event; 0 before the first. */
  get last(): number {
    return this.#known().last;
  }

  /** Writes a batch; over the bound of all events, what models say is left out. Call it inside of a transaction. */
  append(events: readonly RunEventBody[], at: number): void {
    const { last, bytes } = this.#known();
    const full = bytes >= RUN_LIMITS.eventBytes;
    const kept = full ? events.filter(({ type }) => type !== 'text' && type !== 'thought') : events;
    if (kept.length === 0) return;
    const text = JSON.stringify(kept);
    const cut = bytes + text.length >= RUN_LIMITS.eventBytes && !full;
    const batch: readonly RunEventBody[] = cut ? [...kept, { type: 'text.cut' }] : kept;
    this.#end = { last: last + batch.length, bytes: bytes + text.length };
    this.#remember(
      batch.map((body, index) => ({ ...body, sequence: last + 1 + index, at })),
      text.length,
    );
    this.#sql.exec(
      'INSERT INTO event_batch (last, at, bytes, events) VALUES (?, ?, ?, ?)',
      this.#end.last,
      at,
      text.length,
      cut ? JSON.stringify(batch) : text,
    );
  }

  /** Whether a wait of a run below was not told of yet; from now on it is. Call it inside of a transaction. */
  isFirst(run: string, action: string): boolean {
    this.#sql.exec(TOLD_WAITS);
    const wait = `${run}/${action}`;
    return this.#sql.exec('INSERT OR IGNORE INTO told_wait (wait) VALUES (?)', wait).rowsWritten > 0;
  }

  /** At least one event behind `after` where there is one, and about `limit`. */
  read(after: number, limit: number): RunEvent[] {
    const [first] = this.#recent;
    if (first !== undefined && first.sequence <= after + 1) {
      const from = after + 1 - first.sequence;
      return this.#recent.slice(from, from + limit);
    }
    const rows = this.#sql
      .exec('SELECT last, at, events FROM event_batch WHERE last > ? ORDER BY last LIMIT ?', after, limit)
      .toArray();
    const events: RunEvent[] = [];
    for (const { last, at, events: text } of z.array(Batch).parse(rows)) {
      const bodies = Bodies.parse(JSON.parse(text));
      bodies.forEach((body, index) => {
        const sequence = last - bodies.length + 1 + index;
        if (sequence > after && events.length < limit) events.push({ ...body, sequence, at });
      });
    }
    return events;
  }

  #remember(events: readonly RunEvent[], characters: number): void {
    if (this.#recentCharacters + characters > RUN_LIMITS.recentEventCharacters) {
      this.#recent = [];
      this.#recentCharacters = 0;
    }
    if (characters > RUN_LIMITS.recentEventCharacters) return;
    this.#recent.push(...events);
    this.#recentCharacters += characters;
  }

  /** Rolled back with a transaction, what is remembered would be wrong: it is read again after a failure. */
  #known(): { last: number; bytes: number } {
    this.#end ??= this.#sql
      .exec<{ last: number; bytes: number }>(
        'SELECT coalesce(max(last), 0) AS last, coalesce(sum(bytes), 0) AS bytes FROM event_batch',
      )
      .one();
    return this.#end;
  }
}
