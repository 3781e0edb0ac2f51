import type { Decoder } from './decode/payload.ts';
import type { PatternRule } from './rule.ts';
import { WordSearch } from './word-search.ts';

/** Where the words of rules and decoders stand in a text. */
export interface WordPlaces {
  /** Of rules with every group of words in the text: where those of the first group end, ascending. */
  readonly rules: ReadonlyMap<PatternRule, readonly number[]>;
  readonly decoders: ReadonlyMap<Decoder, readonly number[]>;
}

interface Use {
  readonly of: PatternRule | Decoder;
  /** Which group of a rule's words it is in. */
  readonly group: number;
}

/** Rules and decoders with one search for the words of all of them. */
export class RuleSet {
  readonly #search: WordSearch;
  readonly #uses: readonly (readonly Use[])[];
  readonly #always: readonly Decoder[];

  constructor(rules: readonly PatternRule[], decoders: readonly Decoder[]) {
    const uses = new Map<string, { word: string | Uint8Array; uses: Use[] }>();
    const add = (word: string | Uint8Array, use: Use): void => {
      const entry = uses.get(String(word)) ?? { word, uses: [] };
      entry.uses.push(use);
      uses.set(String(word), entry);
    };
    for (const rule of rules)
      for (const [group, words] of rule.words.entries())
        for (const word of words) add(word, { of: rule, group });
    for (const decoder of decoders)
      for (const word of decoder.words ?? []) add(word, { of: decoder, group: 0 });
    this.#search = new WordSearch([...uses.values()].map(({ word }) => word));
    this.#uses = [...uses.values()].map((entry) => entry.uses);
    this.#always = decoders.filter(({ words }) => words === null);
  }

  /** Offsets are UTF-16 units of the text that the bytes are the UTF-8 of. */
  places(bytes: Uint8Array, text: string): WordPlaces {
    const words: number[] = [];
    const ends: number[] = [];
    this.#search.search(bytes, (word, end) => {
      words.push(word);
      ends.push(end);
    });
    if (bytes.length !== text.length) toUnits(bytes, ends);
    const rules = new Map<PatternRule, number[]>();
    const decoders = new Map<Decoder, number[]>(this.#always.map((decoder) => [decoder, []]));
    const groups = new Map<PatternRule, number>();
    for (const [at, word] of words.entries()) {
      const end = ends[at] ?? 0;
      for (const { of, group } of this.#uses[word] ?? []) {
        if ('decode' in of) append(decoders, of, end);
        else {
          groups.set(of, (groups.get(of) ?? 0) | (1 << group));
          if (group === 0) append(rules, of, end);
        }
      }
    }
    for (const rule of rules.keys())
      if (groups.get(rule) !== (1 << rule.words.length) - 1) rules.delete(rule);
    return { rules, decoders };
  }
}

function append<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Ascending offsets of bytes become those of UTF-16 units, in place. */
function toUnits(bytes: Uint8Array, ends: number[]): void {
  let at = 0;
  let units = 0;
  for (const [index, end] of ends.entries()) {
    for (; at < end; at += 1) {
      const byte = bytes[at] ?? 0;
      // Bytes that continue a character count nothing, the first of four counts for a pair.
      if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
    }
    ends[index] = units;
  }
}
