import { z } from 'zod';
import { SESSION_LIMITS } from '../core/limits.ts';
import { Pieces } from '../store/pieces.ts';

const AnswerRow = z.strictObject({ number: z.int(), fingerprint: z.string() });

/** Answers to writes that carried a key, so that a repeat gets the same one. The oldest give way. */
export class AnswerTable {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  /** The answer as JSON; `conflict` where the key stands for another request. */
  read(key: string, fingerprint: string): { readonly answer: string } | 'conflict' | null {
    const [row] = this.#sql
      .exec('SELECT number, fingerprint FROM answer WHERE repeat_key = ?', key)
      .toArray();
    if (row === undefined) return null;
    const found = AnswerRow.parse(row);
    if (found.fingerprint !== fingerprint) return 'conflict';
    return { answer: this.#pieces.readText(`repeat ${found.number}`) };
  }

  write(key: string, fingerprint: string, answer: string): void {
    const row = this.#sql
      .exec(
        'INSERT INTO answer (repeat_key, fingerprint) VALUES (?, ?) RETURNING number, fingerprint',
        key,
        fingerprint,
      )
      .one();
    const { number } = AnswerRow.parse(row);
    this.#pieces.writeText(`repeat ${number}`, answer);
    const old = number - SESSION_LIMITS.answers;
    this.#sql.exec('DELETE FROM answer WHERE number <= ?', old);
    if (old > 0) this.#pieces.remove(`repeat ${old}`);
  }
}
