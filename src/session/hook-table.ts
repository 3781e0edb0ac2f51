import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { SESSION_LIMITS } from '../core/limits.ts';
import { HookAction } from '../format/fields/hook-schema.ts';
import { mayHaveHooks, type RegisteredHook } from '../hook/hook-contract.ts';
import type { Invoked, SessionInvocation } from '../invoke/sessions/session-contract.ts';
import { parseJson } from '../view/json-document.ts';

/** Numbers are never used again, so that a late word about a hook cannot mean a newer one. */
export const HOOK_TABLES: readonly string[] = [
  `CREATE TABLE hook_source (
    agent TEXT NOT NULL, layer TEXT NOT NULL, skill TEXT NOT NULL, repeat_key TEXT, plugin_root TEXT,
    skill_directory TEXT, PRIMARY KEY (agent, layer, skill)) WITHOUT ROWID`,
  `CREATE TABLE hook (
    number INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, layer TEXT NOT NULL, skill TEXT NOT NULL,
    event TEXT NOT NULL, matcher TEXT, action TEXT NOT NULL)`,
  'CREATE INDEX hook_of_agent ON hook (agent, event)',
];

const HOOK_ID = /^hook_(\d{1,15})$/;

const HookRow = z
  .strictObject({
    number: z.int(),
    layer: Layer,
    skill: z.string(),
    event: z.string(),
    matcher: z.string().nullable(),
    action: z.string(),
    plugin_root: z.string().nullable(),
    skill_directory: z.string().nullable(),
  })
  .transform(({ number, action: text, plugin_root: pluginRoot, skill_directory: skillDirectory, ...row }) => {
    const action = parseJson(HookAction, text);
    if (!action) throw new TypeError('a hook that cannot be read');
    return { ...row, hook: `hook_${number}`, action, pluginRoot, skillDirectory };
  });

/** The hooks of the skills that each agent invoked. They stay until the session ends, or the skill is invoked again. */
export class HookTable {
  readonly #sql: SqlStorage;
  /** Whether there ever was one, where that is known: they are registered here and nowhere else. */
  #any: boolean | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  forget(): void {
    this.#any = null;
  }

  /** Of one agent, in the order of registration. */
  of(agent: string, event?: string): (RegisteredHook & { readonly event: string })[] {
    const rows = this.#sql
      .exec(
        `SELECT number, layer, skill, event, matcher, action, plugin_root, skill_directory
          FROM hook JOIN hook_source USING (agent, layer, skill)
          WHERE agent = ? AND event = coalesce(?, event) ORDER BY number`,
        agent,
        event ?? null,
      )
      .toArray();
    return z.array(HookRow).parse(rows);
  }

  /** Whether an invocation has anything to do with hooks: most sessions have none at all. */
  concern({ hooks }: SessionInvocation): boolean {
    return hooks !== null || this.#hasAny();
  }

  /** The skill's hooks in place of those it had. A repeated invocation changes nothing: what fired once is not back. */
  register(invocation: SessionInvocation): Invoked['hooks'] {
    const { agent, layer, skill, idempotencyKey, trust, pluginRoot, skillDirectory } = invocation;
    if (!this.concern(invocation)) return { registered: 0, refused: 0 };
    const before = this.of(agent);
    const own = before.filter((hook) => hook.layer === layer && hook.skill === skill);
    if (idempotencyKey !== null && this.#keyOf(invocation) === idempotencyKey)
      return { registered: own.length, refused: 0 };
    this.#remove(invocation);
    const declared = Object.entries(invocation.hooks ?? {}).flatMap(([event, groups]) =>
      groups.flatMap(({ matcher = null, hooks }) => hooks.map((action) => ({ event, matcher, action }))),
    );
    const room = Math.min(SESSION_LIMITS.hooksOfSkill, SESSION_LIMITS.hooks - before.length + own.length);
    const hooks = mayHaveHooks(layer, trust) ? declared.slice(0, room) : [];
    if (hooks.length > 0) {
      this.#any = true;
      this.#sql.exec(
        `INSERT INTO hook_source (agent, layer, skill, repeat_key, plugin_root, skill_directory)
          VALUES (?, ?, ?, ?, ?, ?)`,
        agent,
        layer,
        skill,
        idempotencyKey,
        pluginRoot,
        skillDirectory,
      );
    }
    for (const { event, matcher, action } of hooks)
      this.#sql.exec(
        'INSERT INTO hook (agent, layer, skill, event, matcher, action) VALUES (?, ?, ?, ?, ?, ?)',
        agent,
        layer,
        skill,
        event,
        matcher,
        JSON.stringify(action),
      );
    return { registered: hooks.length, refused: declared.length - hooks.length };
  }

  /** After a success of a hook that was to run once. Others stay, and so do those of other agents. */
  removeOnce(agent: string, hook: string): void {
    const [, number] = HOOK_ID.exec(hook) ?? [];
    if (number === undefined) return;
    this.#sql.exec(
      `DELETE FROM hook WHERE number = ? AND agent = ? AND json_extract(action, '$.once')`,
      Number(number),
      agent,
    );
  }

  /** Of the invocation that registered the skill's hooks. */
  #keyOf({ agent, layer, skill }: SessionInvocation): string | null {
    const [row] = this.#sql
      .exec(
        'SELECT repeat_key FROM hook_source WHERE agent = ? AND layer = ? AND skill = ?',
        agent,
        layer,
        skill,
      )
      .toArray();
    return row === undefined ? null : z.object({ repeat_key: z.string().nullable() }).parse(row).repeat_key;
  }

  #hasAny(): boolean {
    this.#any ??= this.#sql.exec('SELECT 1 FROM hook_source LIMIT 1').toArray().length > 0;
    return this.#any;
  }

  #remove({ agent, layer, skill }: SessionInvocation): void {
    for (const table of ['hook', 'hook_source'])
      this.#sql.exec(`DELETE FROM ${table} WHERE agent = ? AND layer = ? AND skill = ?`, agent, layer, skill);
  }
}
