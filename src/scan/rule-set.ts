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
    const ends = new Map<number, number[]>();
    const groups = new Uint8Array(this.#rules.length);
    this.#search.search(bytes, (word, end) => {
      const known = ends.get(word);
      const uses = this.#uses[word];
      if (known === undefined) {
        ends.set(word, [end]);
        for (const [rule, bit] of uses?.groups ?? []) groups[rule] = (groups[rule] ?? 0) | bit;
      } else if (uses?.first.length !== 0) known.push(end);
    });
    const whole = new Set(
      this.#rules.filter((rule, number) => groups[number] === (1 << rule.words.length) - 1),
    );
    const lists = new Map<PatternRule | Decoder, (readonly number[])[]>();
    for (const [word, list] of ends)
      for (const user of this.#uses[word]?.first ?? [])
        if ('decode' in user || whole.has(user)) append(lists, user, list);
    for (const decoder of this.#finders) {
      const found: number[] = [];
      decoder.find?.(bytes, (end) => found.push(end));
      if (found.length > 0) append(lists, decoder, found);
    }
    const rules = new Map<PatternRule, readonly number[]>();
    const decoders = new Map<Decoder, readonly number[]>();
    for (const [user, found] of lists) {
      if ('decode' in user) decoders.set(user, merged(found));
      else rules.set(user, merged(found));
    }
    return { rules, decoders };
  }
}

function append<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

function merged(lists: readonly (readonly number[])[]): readonly number[] {
  const [first = [], ...others] = lists;
  return others.length === 0 ? first : [...Int32Array.from(lists.flat()).toSorted()];
}
