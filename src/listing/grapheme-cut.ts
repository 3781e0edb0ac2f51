/** One UTF-16 unit. */
const ELLIPSIS = '…';

/** Made on first use: most listings cut nothing but Latin text, and loading the rules costs milliseconds. */
let graphemes: Intl.Segmenter | null = null;

/**
 * Text of at most `limit` UTF-16 units. Longer text is cut between two graphemes (what a reader takes for one
 * character, UAX 29), with `…` counted inside the limit.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (!(limit >= 1)) return '';
  return text.slice(0, graphemeBoundary(text, Math.floor(limit) - 1)) + ELLIPSIS;
}

/** The last place at or before `end` that is between two graphemes. */
export function graphemeBoundary(text: string, end: number): number {
  return isPlainPair(text, end) ? end : boundaryBefore(text, end);
}

function boundaryBefore(text: string, end: number): number {
  // Boundaries depend on what is before them, so segmenting starts at the nearest place that surely is one.
  let start = end;
  while (start > 0 && !isPlainPair(text, start)) start -= 1;
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  // A boundary depends on no more than the one code point after it.
  const segment = graphemes.segment(text.slice(start, end + 2)).containing(end - start);
  return segment === undefined ? end : start + segment.index;
}

/** Between two plain characters there is always a boundary. */
function isPlainPair(text: string, at: number): boolean {
  return isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at));
}

/** ASCII that is visible or a space, and CJK ideographs: neither joins with a neighbour of its kind. */
function isPlain(unit: number): boolean {
  return (unit >= 0x20 && unit < 0x7f) || (unit >= 0x3400 && unit < 0xa000);
}
