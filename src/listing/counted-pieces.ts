import { CUT_POINTS } from '../catalog/token-counts.ts';
import { cutText } from './grapheme-cut.ts';
import { headOf, LINES } from './layout.ts';
import type { PreparedHead, PreparedTexts } from './listing-entry.ts';

/**
 * A listing is counted in pieces that add up to its whole. The tokenizer splits text before it looks for tokens, and
 * its rules never join a line's end with the `-` after it, nor a colon with the space after it. So `- name:`, ` text` with
 * its line end, and `- name` with its line end have the same tokens alone as between any others.
 */
export function headPieces(entry: PreparedHead): string[] {
  const head = headOf(entry, LINES);
  return [`${head}:`, `${head}\n`];
}

export function textPieces(texts: PreparedTexts): string[] {
  return differentTexts(texts).flatMap((text) => cutEnds(text).map((end) => ` ${cutText(text, end)}\n`));
}

/** Null where one of them cannot be counted. */
export function countPieces(
  count: (text: string) => number | null,
  pieces: readonly string[],
): number[] | null {
  const counts: number[] = [];
  for (const piece of pieces) {
    const tokens = count(piece);
    if (tokens === null) return null;
    counts.push(tokens);
  }
  return counts;
}

/** The texts that are counted, in their order. */
export function differentTexts({ full, plain, least }: PreparedTexts): string[] {
  return [full, ...(plain === full ? [] : [plain]), ...(least === plain ? [] : [least])];
}

/** Where a text can end: at the cut points below its length, and where it does. */
export function cutEnds(text: string): number[] {
  return text === '' ? [] : [...CUT_POINTS.filter((point) => point < text.length), text.length];
}
