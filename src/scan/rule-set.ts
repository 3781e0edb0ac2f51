import type { Decoder } from './decode/payload.ts';
import type { PatternRule } from './rule.ts';
import { WordSearch } from './word-search.ts';

/** Where something begins to be tried, in bytes of a text: ascending, where words end. */
export interface WordPlaces {
  /** Of rules with one word of each group in the text: where those of the first group are. */
  readonly rules: ReadonlyMap<PatternRule, readonly number[]>;
  readonly decoders: ReadonlyMap<Decoder, readonly number[]>;
}

/** Who wants to know of a word. */
interface Uses {
  /** Rules that have it in their first group, and decoders. */
  readonly first: readonly (PatternRule | Decoder)[];
  /** Rules, and the bit of the group that it is in. */
  readonly groups: readonly (readonly [rule: number, bit: number])[];
}

/** Rules and decoders with one search for the words of all of them. */
export class RuleSet {
  readonly #search: WordSearch;
  readonly #uses: readonly Uses[];
  readonly #rules: readonly PatternRule[];
  readonly #finders: readonly Decoder[];

  constructor(rules: readonly PatternRule[], decoders: readonly Decoder[]) {
    const uses = new Map<
      string,
      { word: string | Uint8Array; first: (PatternRule | Decoder)[]; groups: [number, number][] }
    >();
    const entryOf = (word: string | Uint8Array) => {
      const entry = uses.get(String(word)) ?? { word, first: [], groups: [] };
      uses.set(String(word), entry);
      return entry;
    };
    for (const [number, rule] of rules.entries()) {
      for (const [group, words] of rule.words.entries()) {
        for (const word of words) {
          const entry = entryOf(word);
          entry.groups.push([number, 1 << group]);
          if (group === 0) entry.first.push(rule);
        }
      }
    }
    for (const decoder of decoders) for (const word of decoder.words) entryOf(word).first.push(decoder);
    this.#search = new WordSearch([...uses.values()].map(({ word }) => word));
    this.#uses = [...uses.values()];
    this.#rules = rules;
    this.#finders = decoders.filter(({ find }) => find);
  }

  places(bytes: Uint8Array): WordPlaces {
    const found = new Map<PatternRule | Decoder, number[]>();
    const seen = new Uint8Array(this.#uses.length);
    const groups = new Uint8Array(this.#rules.length);
    this.#search.search(bytes, (word, end) => {
      const uses = this.#uses[word];
      if (!uses) return;
      if (seen[word] === 0) {
        seen[word] = 1;
        for (const [rule, bit] of uses.groups) groups[rule] = (groups[rule] ?? 0) | bit;
      }
      for (const user of uses.first) append(found, user, end);
    });
    for (const decoder of this.#finders) decoder.find?.(bytes, (end) => append(found, decoder, end));
    const rules = new Map<PatternRule, number[]>();
    const decoders = new Map<Decoder, number[]>();
    const whole = new Set(
      this.#rules.filter((rule, number) => groups[number] === (1 << rule.words.length) - 1),
    );
    for (const [user, ends] of found) {
      if ('decode' in user) decoders.set(user, ascending(ends));
      else if (whole.has(user)) rules.set(user, ascending(ends));
    }
    return { rules, decoders };
  }
}

function append<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Words of different lengths end in another order than they begin. */
function ascending(ends: number[]): number[] {
  for (let at = 1; at < ends.length; at += 1)
    if ((ends[at - 1] ?? 0) > (ends[at] ?? 0)) return ends.toSorted((left, right) => left - right);
  return ends;
}
