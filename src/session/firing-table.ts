import { z } from 'zod';
import { SESSION_LIMITS } from '../core/limits.ts';
import { HookAnswer, HookResult } from '../hook/hook-contract.ts';
import { Pieces } from '../store/pieces.ts';
import { parseJson } from '../view/json-document.ts';

export const FIRING_TABLES: readonly string[] = [
  'CREATE TABLE firing (number INTEGER PRIMARY KEY, repeat_key TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL)',
  `CREATE TABLE hook_result (
    firing INTEGER NOT NULL, hook TEXT NOT NULL, result TEXT NOT NULL, PRIMARY KEY (firing, hook)) WITHOUT ROWID`,
];

const FiringRow = z.strictObject({ number: z.int(), fingerprint: z.string() });
const ResultRow = z.strictObject({ hook: z.string(), result: z.string() });

/**
 * Events whose hooks are being run here: noted before, with what is known of each hook as soon as it is, and gone when
 * the answer is complete. What is left after an eviction was interrupted.
 */
export class FiringTable {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  read(key: string): z.infer<typeof FiringRow> | null {
    const [row] = this.#sql
      .exec('SELECT number, fingerprint FROM firing WHERE repeat_key = ?', key)
      .toArray();
    return row === undefined ? null : FiringRow.parse(row);
  }

  begin(key: string, fingerprint: string, plan: HookAnswer): void {
    const row = this.#sql
      .exec(
        'INSERT INTO firing (repeat_key, fingerprint) VALUES (?, ?) RETURNING number, fingerprint',
        key,
        fingerprint,
      )
      .one();
    const { number } = FiringRow.parse(row);
    this.#pieces.writeText(`firing ${number}`, JSON.stringify(plan));
    this.#remove(number - SESSION_LIMITS.firings);
  }

  note(number: number, hook: string, result: HookResult): void {
    this.#sql.exec(
      'INSERT INTO hook_result (firing, hook, result) VALUES (?, ?, ?)',
      number,
      hook,
      JSON.stringify(result),
    );
  }

  /** The plan with all results that there are. It is forgotten. */
  end(number: number): HookAnswer {
    const plan = parseJson(HookAnswer, this.#pieces.readText(`firing ${number}`));
    if (!plan) throw new TypeError('a firing that cannot be read');
    const rows = this.#sql.exec('SELECT hook, result FROM hook_result WHERE firing = ?', number).toArray();
    const results = new Map(
      z
        .array(ResultRow)
        .parse(rows)
        .map(({ hook, result }) => [hook, parseJson(HookResult, result)]),
    );
    this.#remove(number);
    const fired = plan.fired.map((hook) =>
      hook.run === 'here' ? { ...hook, result: results.get(hook.hook) ?? hook.result } : hook,
    );
    return { ...plan, fired };
  }

  #remove(number: number): void {
    this.#sql.exec('DELETE FROM firing WHERE number = ?', number);
    this.#sql.exec('DELETE FROM hook_result WHERE firing = ?', number);
    this.#pieces.remove(`firing ${number}`);
  }
}
