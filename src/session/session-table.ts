import { z } from 'zod';
import { Pin, SessionStart } from '../invoke/sessions/session-contract.ts';
import { PIECES_SCHEMA, Pieces } from '../store/pieces.ts';
import { parseJson } from '../view/json-document.ts';
import { FIRING_TABLES } from './firing-table.ts';
import { HOOK_TABLES } from './hook-table.ts';

/** The layout of the tables of a session. A release that changes it reads the older ones or migrates them. */
const SCHEMA = 1;

const TABLES = [
  `CREATE TABLE session (
    id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL, generation INTEGER NOT NULL,
    created_at INTEGER NOT NULL, last_used_at INTEGER NOT NULL
  )`,
  `CREATE TABLE agent (label TEXT PRIMARY KEY, sequence INTEGER NOT NULL, answered TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE activation (
    agent TEXT NOT NULL, layer TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (agent, layer, name)) WITHOUT ROWID`,
  `CREATE TABLE invocation (
    number INTEGER PRIMARY KEY, agent TEXT NOT NULL, layer TEXT NOT NULL, name TEXT NOT NULL, revision TEXT NOT NULL,
    identity TEXT NOT NULL, arguments TEXT NOT NULL, grants TEXT NOT NULL, persist INTEGER NOT NULL, loaded INTEGER NOT NULL,
    repeat_key TEXT, at INTEGER NOT NULL, UNIQUE (agent, layer, name))`,
  `CREATE TABLE answer (number INTEGER PRIMARY KEY, repeat_key TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)`,
  ...HOOK_TABLES,
  ...FIRING_TABLES,
  PIECES_SCHEMA,
];

const SessionRow = z.strictObject({
  schema: z.literal(SCHEMA),
  generation: z.int(),
  created_at: z.number(),
  last_used_at: z.number(),
});

const USE_MILLISECONDS = 30_000;
/** A short session is noted more often, so that none ends more than a sixtieth of its time too early. */
const USE_MILLISECONDS_OF_MINUTE = 1_000;

const START = 'start';
const PINS = 'pins';

/** A session as it was created, and where it stands. Times are Unix milliseconds. */
export interface StoredSession {
  readonly start: SessionStart;
  readonly pins: readonly Pin[];
  readonly generation: number;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

/** The session itself in its object's SQLite. Reading it where there is none creates nothing. */
export class SessionTable {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;
  #exists = false;
  /** Nobody else writes it, and reading it would be most of the work of a call. Read again after every change. */
  #known: StoredSession | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  exists(): boolean {
    this.#exists ||=
      this.#sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'session'`).toArray().length > 0;
    return this.#exists;
  }

  create(start: SessionStart, now: number): void {
    for (const statement of TABLES) this.#sql.exec(statement);
    this.#sql.exec(
      'INSERT INTO session (id, schema, generation, created_at, last_used_at) VALUES (1, ?, ?, ?, ?)',
      SCHEMA,
      // Not the same as that of an earlier session of this name, which others may remember.
      now,
      now,
      now,
    );
    this.#pieces.writeText(START, JSON.stringify(start));
    this.#pieces.writeText(PINS, JSON.stringify(start.pins));
  }

  read(): StoredSession {
    this.#known ??= this.#readAll();
    return this.#known;
  }

  #readAll(): StoredSession {
    const row = SessionRow.parse(
      this.#sql.exec('SELECT schema, generation, created_at, last_used_at FROM session').one(),
    );
    const start = parseJson(SessionStart, this.#pieces.readText(START));
    const pins = parseJson(z.array(Pin), this.#pieces.readText(PINS));
    if (!start || !pins) throw new TypeError('a session that cannot be read');
    const { generation, created_at: createdAt, last_used_at: lastUsedAt } = row;
    return { start, pins, generation, createdAt, lastUsedAt };
  }

  /** Forgets what was read of it, with the session itself. */
  forget(): void {
    this.#exists = false;
    this.#known = null;
  }

  /** Noted to half a minute at most: a session in use needs no row written for it each time. */
  use(now: number): void {
    if (!this.isUseDue(now)) return;
    this.#sql.exec('UPDATE session SET last_used_at = ?', now);
    this.#known = null;
  }

  isUseDue(now: number): boolean {
    const { start, lastUsedAt } = this.read();
    return now - lastUsedAt >= Math.min(USE_MILLISECONDS, start.idleMinutes * USE_MILLISECONDS_OF_MINUTE);
  }

  pin(pins: readonly Pin[]): void {
    this.#pieces.writeText(PINS, JSON.stringify(pins));
    this.change();
  }

  /** What others remember of the session is not so any more. */
  change(): void {
    this.#sql.exec('UPDATE session SET generation = generation + 1');
    this.#known = null;
  }
}
