import { z } from 'zod';
import { RunStart, type RunStatus, type StopReason } from '../invoke/run-contract.ts';
import type { Outcome } from './loop.ts';
import { ToolResult } from '../model/message.ts';
import { ModelFailure, ModelReply } from '../model/model.ts';
import { PIECES_SCHEMA, Pieces } from '../store/pieces.ts';
import { SEEN_SCHEMA, WORKSPACE_SCHEMA } from '../sandbox/workspace-store.ts';

/** The layout of the tables below. A release that changes it reads the older ones or migrates them. */
const SCHEMA = 1;

const TABLES = [
  `CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER NOT NULL, fingerprint TEXT NOT NULL, status TEXT NOT NULL,
    stop_reason TEXT, created_at INTEGER NOT NULL, ended_at INTEGER
  )`,
  `CREATE TABLE step (
    sequence INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL,
    started_at INTEGER NOT NULL, ended_at INTEGER
  )`,
  PIECES_SCHEMA,
  WORKSPACE_SCHEMA,
  SEEN_SCHEMA,
];

/** A start without its files: those are in the workspace. */
export const StoredStart = RunStart.omit({ files: true });
export type StoredStart = z.infer<typeof StoredStart>;

const OutcomeDocument: z.ZodType<Outcome> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('model'), reply: ModelReply }),
  z.strictObject({ kind: z.literal('tool'), result: ToolResult }),
]);

const STATUSES = ['running', 'succeeded', 'failed', 'stopped'] as const satisfies readonly RunStatus[];
const STOP_REASONS = [
  ...(['completed', 'step_failed', 'commands_missing', 'no_steps', 'turn_limit', 'tool_call_limit'] as const),
  ...(['wall_time_limit', 'workspace_limit', 'output_limit', 'model_refused', 'internal_error'] as const),
  ...ModelFailure.options,
] satisfies readonly StopReason[];

/** Times are Unix milliseconds here and below. */
const RunRow = z
  .strictObject({
    schema: z.literal(SCHEMA),
    fingerprint: z.string(),
    status: z.enum(STATUSES),
    stop_reason: z.enum(STOP_REASONS).nullable(),
    created_at: z.number(),
    ended_at: z.number().nullable(),
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
    kind: z.enum(['model', 'tool']),
    state: z.enum(['started', 'done']),
    attempts: z.int(),
    started_at: z.number(),
    ended_at: z.number().nullable(),
  })
  .transform(({ started_at: startedAt, ended_at: endedAt, ...row }) => ({ ...row, startedAt, endedAt }));
export type StepRow = z.infer<typeof StepRow>;

/** The journal of one run in its object's SQLite. Reading it where there is no run creates nothing. */
export class Journal {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  exists(): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'run'").toArray().length > 0
    );
  }

  create(start: StoredStart, now: number): void {
    for (const table of TABLES) this.#sql.exec(table);
    this.#sql.exec(
      "INSERT INTO run (id, schema, fingerprint, status, created_at) VALUES (1, ?, ?, 'running', ?)",
      SCHEMA,
      start.fingerprint,
      now,
    );
    this.#pieces.writeText('start', JSON.stringify(start));
  }

  run(): RunRow {
    const columns = 'schema, fingerprint, status, stop_reason, created_at, ended_at';
    return RunRow.parse(this.#sql.exec(`SELECT ${columns} FROM run`).one());
  }

  start(): StoredStart {
    return StoredStart.parse(JSON.parse(this.#pieces.readText('start')));
  }

  steps(): StepRow[] {
    const columns = 'sequence, kind, state, attempts, started_at, ended_at';
    return z.array(StepRow).parse(this.#sql.exec(`SELECT ${columns} FROM step ORDER BY sequence`).toArray());
  }

  /** What the finished steps gave, in order. */
  outcomes(): Outcome[] {
    const done = this.steps().filter((step) => step.state === 'done');
    return done.map(({ sequence }) =>
      OutcomeDocument.parse(JSON.parse(this.#pieces.readText(stepOwner(sequence)))),
    );
  }

  /** Notes that a step begins, or begins again, and answers how often it has begun. */
  begin(sequence: number, kind: StepRow['kind'], now: number): number {
    return this.#sql
      .exec<{ attempts: number }>(
        `INSERT INTO step (sequence, kind, state, attempts, started_at) VALUES (?, ?, 'started', 1, ?)
         ON CONFLICT (sequence) DO UPDATE SET attempts = attempts + 1 WHERE state = 'started' RETURNING attempts`,
        sequence,
        kind,
        now,
      )
      .one().attempts;
  }

  /** False where this attempt is not the step's latest, or the step is done: then nothing of it may be kept. */
  complete(sequence: number, attempt: number, outcome: Outcome, now: number): boolean {
    const { rowsWritten } = this.#sql.exec(
      "UPDATE step SET state = 'done', ended_at = ? WHERE sequence = ? AND attempts = ? AND state = 'started'",
      now,
      sequence,
      attempt,
    );
    if (rowsWritten === 0) return false;
    this.#pieces.writeText(stepOwner(sequence), JSON.stringify(outcome));
    return true;
  }

  end(status: RunStatus, stopReason: StopReason, result: string, now: number): void {
    this.#sql.exec('UPDATE run SET status = ?, stop_reason = ?, ended_at = ?', status, stopReason, now);
    this.#pieces.writeText('result', result);
  }

  result(): string {
    return this.#pieces.readText('result');
  }
}

function stepOwner(sequence: number): string {
  return `step:${sequence}`;
}
