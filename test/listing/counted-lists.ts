import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { loadTokenCounter } from '../../scripts/lib/token-counter.ts';
import type { ListingTokens } from '../../src/catalog/token-counts.ts';
import { countPieces, headPieces, textPieces } from '../../src/listing/counted-pieces.ts';
import type { CountedEntry } from '../../src/listing/fit-counted.ts';
import { type ListingEntry, prepareEntry, type PreparedEntry } from '../../src/listing/listing-entry.ts';
import { listsOf } from './lists.ts';

export const { count } = await loadTokenCounter();

/** The tokenizer's own word on a whole text. */
export const tokenize = (text: string): number => countTokens(text, { disallowedSpecial: new Set<string>() });

/** What a tokenizer joins, splits or has no word for: every kind of neighbour that a piece of a line can have. */
const MARKS = [
  '.',
  ')',
  '),',
  '"',
  "'s",
  "'LL",
  '/',
  '//',
  '-',
  '- ',
  ':',
  ': ',
  '::',
  '…',
  '...',
  '#',
  '==',
];
const CODE = ['{}();', '<|endoftext|>', '‹', '~', '`', '\\'];
const BLANKS = ['\n', '\r\n', '\n\n', ' ', '  ', '\t', '\u00a0', '\u3000'];
const JOINERS = ['\u0301', '\u200d', '\u20e3', '\ufe0f', '\ud83d'];
const NUMBERS = ['0', '12', '345', '6789', '٣', 'Ⅷ', '½'];
const WORDS = ['a', 'B', 'camelCase', 'ALLCAPS', 'ǅ', 'ª', 'internationalization', 'ß', 'é'];
const SCRIPTS = ['日本語', '的', 'ไทย', 'हिन्दी', '한국어', 'العربية', '👨‍👩‍👧', '🇩🇪', '❤️'];
const PROSE = ['the ', 'Use when ', 'a release is near', ' skill'];

export const awkward = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...MARKS, ...CODE, ...BLANKS, ...JOINERS, ...NUMBERS, ...WORDS, ...SCRIPTS),
    fc.constantFrom(...PROSE),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  ),
  maxLength: 40,
});

const written = (list: fc.Arbitrary<ListingEntry[]>) =>
  fc
    .tuple(
      list,
      fc.array(fc.record({ name: awkward, description: awkward, whenToUse: awkward, mark: awkward }), {
        maxLength: 12,
      }),
    )
    .map(([entries, others]) => entries.map((entry, at): ListingEntry => ({ ...entry, ...others[at] })));

export function tokensOf(prepared: PreparedEntry): ListingTokens | null {
  return countPieces(count, [...textPieces(prepared), ...headPieces(prepared)]);
}

export function countedEntry(entry: ListingEntry): CountedEntry {
  const prepared = prepareEntry(entry);
  return { prepared, rank: entry.rank, tokens: tokensOf(prepared) };
}

/** Lists whose counts are anything that a publisher may claim, or were never made. */
export const claimedLists = fc
  .tuple(
    listsOf(12),
    fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
    fc.nat({ max: 12 }),
  )
  .map(([entries, numbers, uncounted]) => {
    let asked = 0;
    const next = (): number => numbers[(asked += 1) % numbers.length] ?? 1;
    return entries.map((entry, at): CountedEntry => {
      const prepared = prepareEntry(entry);
      const tokens = countPieces(next, [...textPieces(prepared), ...headPieces(prepared)]);
      return { prepared, rank: entry.rank, tokens: at === uncounted ? null : tokens };
    });
  });

/** Lists of entries that were all counted. */
export const countedLists = written(listsOf(12)).map((entries) => entries.map(countedEntry));
