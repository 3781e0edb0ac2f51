import { SEARCH_LIMITS } from '../core/limits.ts';
import { stemOf } from './stem.ts';

/** A word of a text: as it is compared, and where it stands. */
export interface Word {
  readonly term: string;
  readonly start: number;
  readonly end: number;
}

/** Alphabets that put no spaces between words; their texts are compared by pairs of characters. */
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}`;
const RUN = new RegExp(
  String.raw`[${UNSPACED}]+|(?:(?![${UNSPACED}])[\p{L}\p{N}\p{M}])+(?:\+\+|#)?(?:['\u2019]\p{L}+)?`,
  'gu',
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const MARKS = /\p{M}+/gu;

/**
 * The words of a text, each as the index has it: without case, accents and usual endings. The terms are made of letters
 * and digits only, so that nothing in a query can be read as an operator.
 */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(RUN)) {
    const [run] = match;
    const start = match.index;
    if (IS_UNSPACED.test(run)) yield* pairs(run, start);
    else yield { term: termOf(run), start, end: start + run.length };
  }
}

/** The terms of a text, at most so many. */
export function termsOf(text: string, limit: number): string[] {
  const terms: string[] = [];
  for (const { term } of wordsOf(text)) {
    if (terms.length >= limit) break;
    terms.push(term);
  }
  return terms;
}

function termOf(run: string): string {
  const plain = run
    .replace(/['\u2019].*$/u, '')
    .replace(/\+\+$/, 'pp')
    .replace(/#$/, 'sharp')
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase();
  const letters = plain.replaceAll(/[^\p{L}\p{N}]/gu, '') || 'x';
  return stemOf(letters.slice(0, SEARCH_LIMITS.termCharacters).toWellFormed());
}

function* pairs(run: string, start: number): Generator<Word> {
  const characters = [...run];
  let at = start;
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1] ?? '';
    if (next !== '' || characters.length === 1)
      yield { term: (character + next).normalize('NFKC'), start: at, end: at + (character + next).length };
    at += character.length;
  }
}
