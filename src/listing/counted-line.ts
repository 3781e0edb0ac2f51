import type { ListingTokens } from '../catalog/token-counts.ts';
import { cutPoints } from './counted-pieces.ts';
import { cutText } from './grapheme-cut.ts';
import { headOf, LINES } from './layout.ts';
import type { PreparedEntry } from './listing-entry.ts';

/** One way to print an entry. */
export interface CountedLine {
  /** Null where only its name is printed. */
  readonly text: string | null;
  /** Where the text is cut, in UTF-16 units: one of its cut points, or its length. */
  readonly end: number;
  /** Of the line with its end. */
  readonly tokens: number;
}

/**
 * The ways to print an entry, from all of it to its name: each text up to the cap, then its shortest text at each of the
 * `points`, then none. A way that is no cheaper than the one before gives way to it: a cut word can have more tokens.
 */
export function linesOf(
  { full, plain, least }: PreparedEntry,
  tokens: ListingTokens,
  cap: number,
  points: readonly number[],
): CountedLine[] {
  const [before, alone] = tokens.head;
  const name: CountedLine = { text: null, end: 0, tokens: alone };
  const plainTokens = tokens.plain ?? tokens.full;
  const cuts = (text: string, counts: readonly number[]): ((limit: number) => CountedLine) => {
    const ends = text === '' ? [] : [...cutPoints(text), text.length];
    return (limit) => {
      const at = ends.findLastIndex((end) => end <= limit);
      const [end, count] = [ends[at], counts[at]];
      return end === undefined || count === undefined ? name : { text, end, tokens: before + count };
    };
  };
  const leastCuts = cuts(least, tokens.least ?? plainTokens);
  const lines: CountedLine[] = [];
  for (const line of [
    cuts(full, tokens.full)(cap),
    cuts(plain, plainTokens)(cap),
    ...[cap, ...points].map(leastCuts),
    name,
  ]) {
    const above = lines.at(-1);
    lines.push(above !== undefined && above.tokens <= line.tokens ? above : line);
  }
  return lines;
}

export function printLine(entry: PreparedEntry, { text, end }: CountedLine): string {
  const head = headOf(entry, LINES);
  return text === null ? `${head}\n` : `${head}: ${cutText(text, end)}\n`;
}

/** Whether these can be the counts of this entry's texts: their number says where each was cut. */
export function areCountsOf({ full, plain, least }: PreparedEntry, tokens: ListingTokens): boolean {
  const plainTokens = tokens.plain ?? tokens.full;
  return (
    isCounted(full, tokens.full) &&
    isCounted(plain, plainTokens) &&
    isCounted(least, tokens.least ?? plainTokens)
  );
}

function isCounted(text: string, counts: readonly number[]): boolean {
  return text === '' || counts.length === cutPoints(text).length + 1;
}
