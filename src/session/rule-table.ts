import { z } from 'zod';
import { POLICY_LIMITS } from '../core/limits.ts';
import { KeptRule, type RuleCall } from '../invoke/sessions/session-contract.ts';
import { rulesInForce } from '../policy/in-force.ts';
import type { PolicyRule } from '../policy/rule.ts';
import { signRules } from '../policy/written-rule.ts';
import { Pieces } from '../store/pieces.ts';
import { parseJson } from '../view/json-document.ts';

const Kept = z.strictObject({ next: z.int(), rules: z.array(KeptRule) });
type Kept = z.infer<typeof Kept>;

const OWNER = 'rules';

/** The rules of a session. They end with it, with a turn, or when their time is over. */
export class RuleTable {
  readonly #pieces: Pieces;
  /** Nobody else writes it. Read again after every change. */
  #known: Kept | null = null;

  constructor(sql: SqlStorage) {
    this.#pieces = new Pieces(sql);
  }

  all(): readonly KeptRule[] {
    return this.#read().rules;
  }

  /** The same as decisions need them. */
  rules(): PolicyRule[] {
    return this.all().map(({ id: _id, ...rule }) => rule);
  }

  /** False, and nothing is changed, where there would be more than a session keeps. */
  change({ add, remove, endTurn, by }: RuleCall, now: number): boolean {
    const { next, rules } = this.#read();
    const kept = rules.filter(
      ({ id, expires }) => !remove.includes(id) && !(endTurn && expires?.until === 'turn'),
    );
    const known = rulesInForce(kept, now).rules;
    const signed = signRules(add, known, 'session', by, now);
    const fresh = signed.flatMap((rule, index) =>
      'id' in rule ? [] : [{ ...rule, id: `rule_${next + index}` }],
    );
    if (known.length + fresh.length > POLICY_LIMITS.sessionRules) return false;
    this.#write({ next: next + signed.length, rules: [...known, ...fresh] });
    return true;
  }

  /** Ends what was allowed for a turn; true where there was anything. What restricts ends only at an approver's word. */
  endAllowedTurn(): boolean {
    const { next, rules } = this.#read();
    const left = rules.filter(({ effect, expires }) => effect !== 'allow' || expires?.until !== 'turn');
    if (left.length === rules.length) return false;
    this.#write({ next, rules: left });
    return true;
  }

  forget(): void {
    this.#known = null;
  }

  #read(): Kept {
    const text = this.#known === null ? this.#pieces.readText(OWNER) : '';
    if (text !== '') {
      const read = parseJson(Kept, text);
      if (read === null) throw new TypeError('rules of a session that cannot be read');
      this.#known = read;
    }
    this.#known ??= { next: 1, rules: [] };
    return this.#known;
  }

  #write(kept: Kept): void {
    this.#known = null;
    this.#pieces.writeText(OWNER, JSON.stringify(kept));
  }
}
