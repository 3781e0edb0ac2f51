import { z } from 'zod';
import { RunStatus, ShownStatus, StopReason } from '../invoke/runs/run-contract.ts';
import { PIECES_SCHEMA, Pieces } from '../store/pieces.ts';
import { SEEN_SCHEMA, WORKSPACE_SCHEMA } from '../sandbox/workspace-store.ts';
import { EVENTS_SCHEMA } from './event-table.ts';
import { Outcome } from './outcome.ts';
import { StoredStart } from './stored-start.ts';

/** The layout of the tables below. A release that changes it reads the older ones or migrates them. */
const SCHEMA = 2;

const TABLES = [
  `CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    stop_reason TEXT, created_at INTEGER NOT NULL, ended_at INTEGER, waited INTEGER NOT NULL DEFAULT 0, told TEXT
  )`,
  `CREATE TABLE step (
    sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
    started_at INTEGER NOT NULL, ended_at INTEGER
  )`,
  PIECES_SCHEMA,
  WORKSPACE_SCHEMA,
  SEEN_SCHEMA,
  EVENTS_SCHEMA,
];

/** From the layout of the first release. */
const FROM_1 = [
  'ALTER TABLE run ADD COLUMN waited INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE run ADD COLUMN told TEXT',
  SEEN_SCHEMA,
  EVENTS_SCHEMA,
];

/** Times are Unix milliseconds here and below. */
const RunRow = z
  .strictObject({
    fingerprint: z.string(),
    status: RunStatus,
    stop_reason: StopReason.nullable(),
    created_at: z.number(),
    ended_at: z.number().nullable(),
    /** Milliseconds that it spent waiting for people and hosts. */
    waited: z.number(),
    /** The status that the organisation's list of runs has of it. */
    told: ShownStatus.nullable(),
  })
  .transform(({ stop_reason: stopReason, created_at: createdAt, ended_at: endedAt, ...row }) => ({
    ...row,
    stopReason,
    createdAt,
    endedAt,
  }));
export type RunRow = z.infer<typeof RunRow>;

const StepRow = z
  .strictObject({
    sequence: z.int(),
    kind: z.enum(['model', 'tool', 'wait', 'hook', 'compaction']),
    state: z.enum(['started', 'done']),
    attempts: z.int(),
    started_at: z.number(),
    ended_at: z.number().nullable(),
  })
  .transform(({ started_at: startedAt, ended_at: endedAt, ...row }) => ({ ...row, startedAt, endedAt }));
export type StepRow = z.infer<typeof StepRow>;

/**
 * The journal of one run in its object's SQLite. Reading it where there is no run creates nothing. What was read or written
 * once is remembered, since nobody else writes it; whoever rolls a write back has it forgotten.
 */
export class Journal {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;
  #known = false;
  #run: RunRow | null = null;
  #steps: StepRow[] | null = null;
  #outcomes: Outcome[] | null = null;
  #result: string | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  /** Whether there is a run. One that an older release began has today's tables afterwards. */
  exists(): boolean {
    if (this.#known) return true;
    const tables = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'run'";
    if (this.#sql.exec(tables).toArray().length === 0) return false;
    const { schema } = this.#sql.exec<{ schema: number }>('SELECT schema FROM run').one();
    if (schema === 1) {
      for (const statement of FROM_1) this.#sql.exec(statement);
      this.#sql.exec('UPDATE run SET schema = ?', SCHEMA);
    }
    this.#known = true;
    return true;
  }

  create(start: StoredStart, now: number): void {
    this.#sql.exec(TABLES.join(';\n'));
    this.#sql.exec(
      "INSERT INTO run (id, schema, fingerprint, status, created_at) VALUES (1, ?, ?, 'running', ?)",
      SCHEMA,
      start.fingerprint,
      now,
    );
    this.#pieces.addText('start', JSON.stringify(start));
    const { fingerprint } = start;
    const nothing = { stopReason: null, endedAt: null, waited: 0, told: null };
    this.#known = true;
    this.#run = { fingerprint, status: 'running', createdAt: now, ...nothing };
    this.#steps = [];
    this.#outcomes = [];
  }

  /** What is remembered may not be what is stored. */
  forget(): void {
    this.#known = false;
    this.#run = null;
    this.#steps = null;
    this.#outcomes = null;
    this.#result = null;
  }

  run(): RunRow {
    const columns = 'fingerprint, status, stop_reason, created_at, ended_at, waited, told';
    this.#run ??= RunRow.parse(this.#sql.exec(`SELECT ${columns} FROM run`).one());
    return this.#run;
  }

  start(): StoredStart {
    return StoredStart.parse(JSON.parse(this.#pieces.readText('start')));
  }

  steps(): readonly StepRow[] {
    return this.#knownSteps();
  }

  #knownSteps(): StepRow[] {
    const columns = 'sequence, kind, state, attempts, started_at, ended_at';
    this.#steps ??= z
      .array(StepRow)
      .parse(this.#sql.exec(`SELECT ${columns} FROM step ORDER BY sequence`).toArray());
    return this.#steps;
  }

  /** The step that has begun and not ended; undefined between steps. */
  openStep(): StepRow | undefined {
    const last = this.#knownSteps().at(-1);
    return last?.state === 'started' ? last : undefined;
  }

  hasEnded(): boolean {
    return this.run().endedAt !== null;
  }

  /** What the finished steps gave, in order. */
  outcomes(): readonly Outcome[] {
    this.#outcomes ??= this.#knownSteps()
      .filter(({ state }) => state === 'done')
      .map(({ sequence }) => Outcome.parse(JSON.parse(this.#pieces.readText(stepOwner(sequence)))));
    return this.#outcomes;
  }

  /** Notes that a step begins, or begins again, and answers how often it has begun. */
  begin(sequence: number, kind: StepRow['kind'], now: number): number {
    const steps = this.#knownSteps();
    const { state, attempts, startedAt } = steps[sequence] ?? {
      state: 'started',
      attempts: 0,
      startedAt: now,
    };
    if (state === 'done') throw new RangeError(`step ${sequence} is done and cannot begin again`);
    if (attempts > 0) this.#sql.exec('UPDATE step SET attempts = attempts + 1 WHERE sequence = ?', sequence);
    else
      this.#sql.exec(
        "INSERT INTO step (sequence, kind, state, attempts, started_at) VALUES (?, ?, 'started', 1, ?)",
        sequence,
        kind,
        now,
      );
    steps[sequence] = { sequence, kind, state, attempts: attempts + 1, startedAt, endedAt: null };
    return attempts + 1;
  }

  /** Whether this attempt is the step's latest, and the step still open. */
  isOpen(sequence: number, attempt: number): boolean {
    const open = this.openStep();
    return open?.sequence === sequence && open.attempts === attempt;
  }

  /** False where this attempt is not the step's latest, or the step or the run is done: then nothing of it may be kept. */
  complete(sequence: number, attempt: number, outcome: Outcome, now: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      `UPDATE step SET state = 'done', ended_at = ? WHERE sequence = ? AND attempts = ? AND state = 'started'
        AND EXISTS (SELECT 1 FROM run WHERE ended_at IS NULL)`,
      now,
      sequence,
      attempt,
    );
    if (rowsWritten === 0) {
      this.forget();
      return false;
    }
    this.#pieces.addText(stepOwner(sequence), JSON.stringify(outcome));
    const steps = this.#knownSteps();
    const step = steps[sequence];
    if (step !== undefined) steps[sequence] = { ...step, state: 'done', endedAt: now };
    this.#outcomes?.push(outcome);
    return true;
  }

  waited(milliseconds: number): void {
    this.#sql.exec('UPDATE run SET waited = waited + ?', milliseconds);
    this.#run = null;
  }

  told(status: ShownStatus): void {
    this.#sql.exec('UPDATE run SET told = ?', status);
    this.#run = { ...this.run(), told: status };
  }

  end(status: RunStatus, stopReason: StopReason, result: string, now: number): void {
    this.#sql.exec('UPDATE run SET status = ?, stop_reason = ?, ended_at = ?', status, stopReason, now);
    this.#pieces.writeText('result', result);
    this.#run = { ...this.run(), status, stopReason, endedAt: now };
    this.#result = result;
  }

  result(): string {
    this.#result ??= this.#pieces.readText('result');
    return this.#result;
  }
}

function stepOwner(sequence: number): string {
  return `step:${sequence}`;
}
