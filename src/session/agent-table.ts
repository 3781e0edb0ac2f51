import { z } from 'zod';
import type { Layer } from '../catalog/layers.ts';
import { SESSION_LIMITS } from '../core/limits.ts';
import { Pieces } from '../store/pieces.ts';
import { parseJson } from '../view/json-document.ts';
import { NOTHING_SHOWN, ShownSkills } from '../view/listing/list-new-skills.ts';
import { skillKey } from '../view/listing/merge-listing.ts';

/** Which call an agent's last listing answered. */
export type Answered = 'list' | 'compact';

const AgentRow = z.strictObject({
  label: z.string(),
  sequence: z.int(),
  answered: z.enum(['list', 'compact']),
});
const ActivationRow = z.strictObject({ layer: z.string(), name: z.string() });

/** What a session knows of one agent's listings: how many there were, what they showed, and the last answer itself. */
export class AgentTable {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;
  /** Agents that are known for certain; none is ever forgotten but with its session. */
  readonly #seen = new Set<string>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  forget(): void {
    this.#seen.clear();
  }

  /** All that anything is known of. */
  labels(): string[] {
    const rows = this.#sql
      .exec(
        `SELECT label FROM agent UNION SELECT agent FROM activation UNION SELECT agent FROM invocation
          UNION SELECT agent FROM hook ORDER BY 1`,
      )
      .toArray();
    return z
      .array(z.strictObject({ label: z.string() }))
      .parse(rows)
      .map(({ label }) => label);
  }

  /** 0 for an agent that nothing was listed to. */
  sequence(agent: string): number {
    return this.#row(agent)?.sequence ?? 0;
  }

  shown(agent: string): ShownSkills | null {
    if (!this.#row(agent)) return null;
    return parseJson(ShownSkills, this.#pieces.readText(`shown ${agent}`)) ?? NOTHING_SHOWN;
  }

  /** The last answer as JSON, where it was one to this kind of call. */
  answer(agent: string, to: Answered): string | null {
    return this.#row(agent)?.answered === to ? this.#pieces.readText(`answer ${agent}`) : null;
  }

  /** False for one agent more than there may be. */
  hasRoomFor(agent: string): boolean {
    if (this.#seen.has(agent)) return true;
    const labels = this.labels();
    if (labels.length >= SESSION_LIMITS.agents && !labels.includes(agent)) return false;
    if (labels.includes(agent)) this.#seen.add(agent);
    return true;
  }

  write(agent: string, sequence: number, shown: ShownSkills, answered: Answered, answer: string): void {
    this.#sql.exec(
      'INSERT OR REPLACE INTO agent (label, sequence, answered) VALUES (?, ?, ?)',
      agent,
      sequence,
      answered,
    );
    this.#pieces.writeText(`shown ${agent}`, JSON.stringify(shown));
    this.#pieces.writeText(`answer ${agent}`, answer);
  }

  /** As `layer/name`. */
  activated(agent: string): Set<string> {
    const rows = this.#sql
      .exec('SELECT layer, name FROM activation WHERE agent = ? ORDER BY layer, name', agent)
      .toArray();
    return new Set(
      z
        .array(ActivationRow)
        .parse(rows)
        .map(({ layer, name }) => skillKey(layer, name)),
    );
  }

  activate(agent: string, skills: readonly { readonly layer: Layer; readonly name: string }[]): void {
    const room = SESSION_LIMITS.activated - this.activated(agent).size;
    for (const { layer, name } of skills.slice(0, Math.max(0, room))) {
      this.#sql.exec(
        'INSERT OR IGNORE INTO activation (agent, layer, name) VALUES (?, ?, ?)',
        agent,
        layer,
        name,
      );
    }
  }

  #row(agent: string): z.infer<typeof AgentRow> | null {
    const [row] = this.#sql
      .exec('SELECT label, sequence, answered FROM agent WHERE label = ?', agent)
      .toArray();
    return row === undefined ? null : AgentRow.parse(row);
  }
}
