import { LISTING_LIMITS } from '../core/limits.ts';
import { positiveText } from '../text/exclusions.ts';

/** What of a skill is compared with a query. */
export interface SearchableText {
  readonly name: string;
  readonly description: string;
  readonly whenToUse: string;
}

const WEIGHTS = [
  ['name', 8],
  ['whenToUse', 4],
  ['description', 2],
] as const;

/** A word of the query that only begins a word of the text counts half; shorter ones begin nearly anything. */
const SHORTEST_PREFIX = 3;
const WORD = /[\p{L}\p{N}]+/gu;
/** Scripts that put no spaces between words: pairs of their characters stand for words. */
const UNSPACED = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+$/u;

/**
 * How well each text answers a query, 0 where nothing matches: for each word of the query, the best field it is in, and
 * more for words that few texts have. Whole numbers, so that the order is the same wherever it is computed.
 */
export function relevance(query: string, texts: readonly SearchableText[]): number[] {
  const terms = [...new Set(words(query))].slice(0, LISTING_LIMITS.queryTerms);
  if (terms.length === 0) return texts.map(() => 0);
  const found = texts.map((text) => {
    const fields = WEIGHTS.map(([field, weight]) => ({ words: new Set(words(text[field])), weight }));
    return terms.map((term) =>
      Math.max(...fields.map((field) => field.weight * presence(term, field.words))),
    );
  });
  const rarity = terms.map((_, at) => {
    const having = found.filter((weights) => (weights[at] ?? 0) > 0).length;
    return Math.log2(1 + texts.length / Math.max(1, having));
  });
  return found.map((weights) =>
    Math.round(weights.reduce((sum, weight, at) => sum + weight * (rarity[at] ?? 0), 0) * 1_000),
  );
}

function presence(term: string, words: ReadonlySet<string>): number {
  if (words.has(term)) return 1;
  if (term.length < SHORTEST_PREFIX) return 0;
  for (const word of words) if (word.startsWith(term) || isPlural(term, word)) return 0.5;
  return 0;
}

function isPlural(term: string, word: string): boolean {
  return term.length > SHORTEST_PREFIX && term === `${word}s`;
}

function words(text: string): string[] {
  // What an author says a skill is not for is no reason to take it.
  const plain = positiveText(text.normalize('NFKC').toLowerCase());
  return (plain.match(WORD) ?? []).flatMap((word) => (UNSPACED.test(word) ? pairs(word) : [word]));
}

function pairs(word: string): string[] {
  const characters = [...word];
  if (characters.length < 2) return [word];
  return characters.slice(1).map((character, at) => (characters[at] ?? '') + character);
}
