import { CUT_POINTS, type HeadTokens, type TextTokens } from '../catalog/token-counts.ts';
import { cutText } from './grapheme-cut.ts';
import { headOf, LINES } from './layout.ts';
import type { PreparedHead, PreparedTexts } from './listing-entry.ts';

type Count = (text: string) => number | null;

/**
 * A listing is counted in pieces that add up to its whole. The tokenizer splits text before it looks for tokens, and
 * its rules never join a line's end with the `-` after it, nor a colon with the space after it. So `- name:`, ` text` with
 * its line end, and `- name` with its line end have the same tokens alone as between any others.
 */
export function countHead(count: Count, entry: PreparedHead): HeadTokens | null {
  const head = headOf(entry, LINES);
  const [before, alone] = [count(`${head}:`), count(`${head}\n`)];
  return before === null || alone === null ? null : [before, alone];
}

/** Null where one of the pieces cannot be counted. */
export function countTexts(count: Count, texts: PreparedTexts): TextTokens | null {
  return forEachText(texts, (text) => {
    const counts: number[] = [];
    for (const cut of text === '' ? [] : [...cutPoints(text), text.length]) {
      const tokens = count(` ${cutText(text, cut)}\n`);
      if (tokens === null) return null;
      counts.push(tokens);
    }
    return counts;
  });
}

/** Counts of an entry's texts, each different one once. */
export function forEachText(
  { full, plain, least }: PreparedTexts,
  cuts: (text: string) => number[] | null,
): TextTokens | null {
  const tokens: TextTokens = { full: [] };
  const wanted = { full, ...(plain === full ? {} : { plain }), ...(least === plain ? {} : { least }) };
  for (const key of ['full', 'plain', 'least'] as const) {
    const text = wanted[key];
    if (text === undefined) continue;
    const counts = cuts(text);
    if (counts === null) return null;
    tokens[key] = counts;
  }
  return tokens;
}

/** Where a text of this length is cut. */
export function cutPoints({ length }: string): number[] {
  return CUT_POINTS.filter((point) => point < length);
}
