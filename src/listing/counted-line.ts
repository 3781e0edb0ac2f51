import type { ListingTokens } from '../catalog/token-counts.ts';
import { cutEnds, differentTexts } from './counted-pieces.ts';
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
  entry: PreparedEntry,
  tokens: ListingTokens,
  cap: number,
  points: readonly number[],
): CountedLine[] {
  const [before = 0, alone = 0] = tokens.slice(-2);
  const name: CountedLine = { text: null, end: 0, tokens: alone };
  let counted = 0;
  const texts = differentTexts(entry).map((text) => {
    const cuts = cutEnds(text).map((end, at): CountedLine => {
      return { text, end, tokens: before + (tokens[counted + at] ?? 0) };
    });
    counted += cuts.length;
    return (limit: number): CountedLine => cuts.findLast(({ end }) => end <= limit) ?? name;
  });
  const shortest = texts.at(-1);
  // Entries go down together, so that all have as many ways as those with three texts.
  const ways = [0, 1, 2].map((at) => (texts[at] ?? shortest)?.(cap) ?? name);
  for (const point of points) ways.push(shortest?.(point) ?? name);
  const lines: CountedLine[] = [];
  for (const line of [...ways, name]) {
    const above = lines.at(-1);
    lines.push(above !== undefined && above.tokens <= line.tokens ? above : line);
  }
  return lines;
}

export function printLine(entry: PreparedEntry, { text, end }: CountedLine): string {
  const head = headOf(entry, LINES);
  return text === null ? `${head}\n` : `${head}: ${cutText(text, end)}\n`;
}

/** Whether these can be the counts of this entry, by their number; where its texts are not to be printed, its name's will do. */
export function areCountsOf(entry: PreparedEntry, tokens: ListingTokens): boolean {
  const cuts = differentTexts(entry).reduce((sum, text) => sum + cutEnds(text).length, 0);
  return entry.full === '' || tokens.length === 2 + cuts;
}
