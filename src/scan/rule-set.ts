import type { Decoder } from './decode/payload.ts';
import type { PatternRule } from './rule.ts';
import { WordSearch } from './word-search.ts';

/** Where something begins to be tried, in bytes of a text: ascending, where words end. */
export interface WordPlaces {
  /** Of rules with one word of each group in the text: where those of the first group are. */
  readonly rules: ReadonlyMap<PatternRule, readonly number[]>;
  readonly decoders: ReadonlyMap<Decoder, readonly number[]>;
}

/** Who wants to know of a word. Rules by their numbers. */
interface Uses {
  readonly word: string | Uint8Array;
  /** Those that have it in their first group. */
  readonly rules: number[];
  readonly decoders: Decoder[];
  /** All that have it, and the bit of the group that it is in. */
  readonly groups: (readonly [rule: number, bit: number])[];
}

/** Rules and decoders with one search for the words of all of them. */
export class RuleSet {
  readonly #search: WordSearch;
  readonly #uses: readonly Uses[];
  readonly #rules: readonly PatternRule[];
  /** By rule, the bits of all of its groups. */
  readonly #whole: readonly number[];
  readonly #finders: readonly Decoder[];

  constructor(rules: readonly PatternRule[], decoders: readonly Decoder[]) {
    const uses = new Map<string, Uses>();
    const entryOf = (word: string | Uint8Array): Uses => {
      const entry = uses.get(String(word)) ?? { word, rules: [], decoders: [], groups: [] };
      uses.set(String(word), entry);
      return entry;
    };
    for (const [number, rule] of rules.entries()) {
      for (const [group, words] of rule.words.entries()) {
        for (const word of words) {
          const entry = entryOf(word);
          entry.groups.push([number, 1 << group]);
          if (group === 0) entry.rules.push(number);
        }
      }
    }
    for (const decoder of decoders) for (const word of decoder.words) entryOf(word).decoders.push(decoder);
    this.#uses = [...uses.values()];
    this.#search = new WordSearch(this.#uses.map(({ word }) => word));
    this.#rules = rules;
    this.#whole = rules.map(({ words }) => (1 << words.length) - 1);
    this.#finders = decoders.filter(({ find }) => find);
  }

  places(bytes: Uint8Array): WordPlaces {
    const ends = new Map<number, number[]>();
    const groups = new Uint8Array(this.#rules.length);
    this.#search.search(bytes, (word, end) => {
      const known = ends.get(word);
      if (known) {
        known.push(end);
        return;
      }
      ends.set(word, [end]);
      for (const [rule, bit] of this.#uses[word]?.groups ?? []) groups[rule] = (groups[rule] ?? 0) | bit;
    });
    const rules = new Map<PatternRule, number[][]>();
    const decoders = new Map<Decoder, number[][]>();
    for (const [word, list] of ends) {
      const uses = this.#uses[word];
      for (const rule of uses?.rules ?? [])
        if (groups[rule] === this.#whole[rule]) append(rules, this.#rules[rule], list);
      for (const decoder of uses?.decoders ?? []) append(decoders, decoder, list);
    }
    for (const decoder of this.#finders) {
      const found: number[] = [];
      decoder.find?.(bytes, (end) => found.push(end));
      if (found.length > 0) append(decoders, decoder, found);
    }
    return { rules: merged(rules), decoders: merged(decoders) };
  }
}

function append<Key>(map: Map<Key, number[][]>, key: Key | undefined, list: number[]): void {
  if (key === undefined) return;
  const lists = map.get(key);
  if (lists) lists.push(list);
  else map.set(key, [list]);
}

function merged<Key>(lists: ReadonlyMap<Key, readonly number[][]>): Map<Key, readonly number[]> {
  const all = new Map<Key, readonly number[]>();
  for (const [key, [first = [], ...others]] of lists)
    all.set(
      key,
      others.length === 0 ? first : first.concat(...others).toSorted((left, right) => left - right),
    );
  return all;
}
