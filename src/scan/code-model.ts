import type { Syntax } from './file-kind.ts';
import { lineAbove, lineAfter, lineBefore, type Place, type TextModel, type Zone } from './place.ts';

const LINE_COMMENT: Readonly<Record<Syntax, RegExp | null>> = {
  markdown: null,
  hash: /(?:^|\s)#/,
  python: /(?:^|\s)#/,
  slashes: /(?:^|[^:])\/\/|^\s*\*\s/,
  dashes: /--/,
  markup: null,
  none: /^\s*(?:::|rem\s|')/i,
};

/** How far a block comment is looked for. */
const COMMENT_REACH = 4_000;

/** A program, or a block of one: what of it is a comment or a string. A sketch, made line by line, and never slow. */
export class CodeModel implements TextModel {
  readonly #text: string;
  readonly #syntax: Syntax;
  /** Where triple quotes stand in Python; every second one ends a text. */
  #quotes: readonly number[] | null = null;

  constructor(text: string, syntax: Syntax) {
    this.#text = text;
    this.#syntax = syntax;
  }

  placeOf(start: number, end: number): Place {
    const before = lineBefore(this.#text, start);
    return {
      zone: this.#zoneOf(start, before),
      before,
      after: lineAfter(this.#text, end),
      lead: lineAbove(this.#text, start),
      headings: [],
    };
  }

  #zoneOf(start: number, before: string): Zone {
    const comment = LINE_COMMENT[this.#syntax];
    const bare = before.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
    if (comment?.test(bare)) return 'comment';
    if (this.#syntax === 'slashes' && this.#isInBlock(start, '/*', '*/')) return 'comment';
    if (this.#syntax === 'markup') return this.#isInBlock(start, '<!--', '-->') ? 'hidden' : 'data';
    if (this.#syntax === 'python' && this.#isInText(start)) return 'comment';
    return /["'`]/.test(bare.replaceAll('""', '')) ? 'string' : 'code';
  }

  #isInBlock(start: number, opening: string, closing: string): boolean {
    const part = this.#text.slice(Math.max(0, start - COMMENT_REACH), start);
    return part.lastIndexOf(opening) > part.lastIndexOf(closing);
  }

  #isInText(start: number): boolean {
    this.#quotes ??= [...this.#text.matchAll(/"""|'''/g)].map(({ index }) => index);
    return countBelow(this.#quotes, start) % 2 === 1;
  }
}

/** How many of some ascending numbers are below a limit. */
export function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
