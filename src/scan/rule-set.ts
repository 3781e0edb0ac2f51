import type { Decoder } from './decode/payload.ts';
import type { WordEnds } from './places.ts';
import type { PatternRule } from './rule.ts';
import { WordSearch } from './word-search.ts';

/** Where something begins to be tried, in bytes of a text. */
export interface WordPlaces {
  /** Of rules with one word of each group in the text: where those of the first group are. */
  readonly rules: ReadonlyMap<PatternRule, WordEnds>;
  readonly decoders: ReadonlyMap<Decoder, WordEnds>;
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
    const groups = new Uint8Array(this.#rules.length);
    /** By word. */
    const hits = new Map<number, number[]>();
    this.#search.search(bytes, (word, end) => {
      const ends = hits.get(word);
      if (ends) {
        ends.push(end);
        return;
      }
      hits.set(word, [end]);
      for (const [rule, bit] of this.#uses[word]?.groups ?? []) groups[rule] = (groups[rule] ?? 0) | bit;
    });
    const rules = new Map<PatternRule, number[][]>();
    const decoders = new Map<Decoder, number[][]>();
    for (const [word, ends] of hits) {
      const uses = this.#uses[word];
      for (const rule of uses?.rules ?? [])
        if (groups[rule] === this.#whole[rule]) add(rules, this.#rules[rule], ends);
      for (const decoder of uses?.decoders ?? []) add(decoders, decoder, ends);
    }
    for (const decoder of this.#finders) {
      const found: number[] = [];
      decoder.find?.(bytes, (end) => found.push(end));
      if (found.length > 0) decoders.set(decoder, [found]);
    }
    return { rules, decoders };
  }
}

function add<Key>(map: Map<Key, number[][]>, key: Key | undefined, ends: number[]): void {
  if (key === undefined) return;
  const lists = map.get(key);
  if (lists) lists.push(ends);
  else map.set(key, [ends]);
}
