import { z } from 'zod';
import { type Layer, UsedLayer } from '../catalog/layers.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { SESSION_LIMITS } from '../core/limits.ts';
import type { SessionInvocation } from '../invoke/sessions/session-contract.ts';
import { Pieces } from '../store/pieces.ts';
import { parseJson } from '../view/json-document.ts';

const InvocationRow = z
  .strictObject({
    number: z.int(),
    agent: z.string(),
    layer: UsedLayer,
    name: z.string(),
    revision: z.string(),
    identity: z.string(),
    arguments: z.string(),
    grants: z.string(),
    persist: z.int(),
    loaded: z.int(),
    repeat_key: z.string().nullable(),
    at: z.number(),
  })
  .transform(({ persist, loaded, repeat_key: repeatKey, ...row }) => {
    const granted = parseJson(z.array(z.string()), row.grants) ?? [];
    return { ...row, grants: granted, persist: persist === 1, loaded: loaded === 1, repeatKey };
  });
export type InvocationRow = z.infer<typeof InvocationRow>;

/** What every invocation says anew. */
const TOLD = 'at = ?, arguments = ?, revision = ?, grants = ?, persist = ?';

const LoadedRow = z.strictObject({ number: z.int(), repeat_key: z.string().nullable() });

/** The last text of each skill: one that is asked for again mostly is the same. */
interface KnownText {
  readonly text: string;
  readonly identity: Digest;
  /** Its row, where that is known to be loaded. */
  loaded: z.infer<typeof LoadedRow> | null;
}

/** The last invocation of each skill by each agent, with its text, so that a compaction can attach it again. */
export class InvocationTable {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;
  #known = noTexts();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  /** Forgets what was read of it. */
  forget(): void {
    this.#known = noTexts();
  }

  /** Of one agent, the newest first. */
  of(agent: string): InvocationRow[] {
    const rows = this.#sql
      .exec('SELECT * FROM invocation WHERE agent = ? ORDER BY at DESC, number DESC', agent)
      .toArray();
    return z.array(InvocationRow).parse(rows);
  }

  text({ number }: InvocationRow): string {
    return this.#pieces.readText(`invocation ${number}`);
  }

  /**
   * Notes an invocation of a text that is loaded, in one row: true where it is not merely asked for once more. Null, and
   * nothing done, for any other text.
   */
  again(invocation: SessionInvocation, now: number): boolean | null {
    const { agent, layer, skill, revision, args, grants, persist, idempotencyKey } = invocation;
    const known = this.#textOf(invocation);
    // Another revision can have the same text, and the same revision other grants.
    const told = [now, args, revision, JSON.stringify(grants), persist ? 1 : 0];
    if (known.loaded) {
      this.#sql.exec(`UPDATE invocation SET ${TOLD} WHERE number = ?`, ...told, known.loaded.number);
    } else {
      const [row] = this.#sql
        .exec(
          `UPDATE invocation SET ${TOLD}
            WHERE agent = ? AND layer = ? AND name = ? AND identity = ? AND loaded = 1 RETURNING number, repeat_key`,
          ...told,
          agent,
          layer,
          skill,
          known.identity,
        )
        .toArray();
      if (!row) return null;
      known.loaded = LoadedRow.parse(row);
    }
    return idempotencyKey === null || known.loaded.repeat_key !== idempotencyKey;
  }

  /** Notes an invocation of a text that is not loaded. */
  add(invocation: SessionInvocation, now: number): void {
    const { agent, layer, skill, revision, text, args, grants, persist, idempotencyKey } = invocation;
    const { identity } = this.#textOf(invocation);
    const before = this.of(agent).find((row) => row.layer === layer && row.name === skill);
    if (before) this.#remove(before);
    const row = this.#sql
      .exec(
        `INSERT INTO invocation (agent, layer, name, revision, identity, arguments, grants, persist, loaded, repeat_key, at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?) RETURNING *`,
        agent,
        layer,
        skill,
        revision,
        identity,
        args,
        JSON.stringify(grants),
        persist ? 1 : 0,
        idempotencyKey,
        now,
      )
      .one();
    this.#pieces.writeText(
      `invocation ${InvocationRow.parse(row).number}`,
      text.slice(0, SESSION_LIMITS.keptCharacters).toWellFormed(),
    );
    for (const old of this.of(agent).slice(SESSION_LIMITS.invocations)) this.#remove(old);
  }

  /** After a compaction: what is not attached again is forgotten, what is attached in part is not loaded any more. */
  keep(agent: string, whole: ReadonlySet<number>, part: ReadonlySet<number>): void {
    this.forget();
    for (const row of this.of(agent)) {
      if (part.has(row.number)) {
        this.#sql.exec('UPDATE invocation SET loaded = 0 WHERE number = ?', row.number);
      } else if (!whole.has(row.number)) this.#remove(row);
    }
  }

  /** Two texts are the same where their digests are. */
  #textOf(invocation: SessionInvocation): KnownText {
    const { text } = invocation;
    const key = keyOf(invocation.agent, invocation.layer, invocation.skill);
    const known = this.#known.get(key);
    if (known?.text === text) return known;
    const made: KnownText = { text, identity: digestOf(text), loaded: null };
    this.#known.set(key, made, text.length);
    return made;
  }

  #remove({ number, agent, layer, name }: InvocationRow): void {
    this.#known.delete(keyOf(agent, layer, name));
    this.#sql.exec('DELETE FROM invocation WHERE number = ?', number);
    this.#pieces.remove(`invocation ${number}`);
  }
}

function noTexts(): BoundedCache<string, KnownText> {
  return new BoundedCache(SESSION_LIMITS.keptCharacters);
}

function keyOf(agent: string, layer: Layer, skill: string): string {
  return JSON.stringify([agent, layer, skill]);
}
