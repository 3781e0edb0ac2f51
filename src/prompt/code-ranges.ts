import { type Fence, fencesOf } from '../text/fences.ts';

/** A part of a markdown text that is code: UTF-16 units, its marks included. */
export type CodeRange =
  | { readonly kind: 'fence'; readonly start: number; readonly end: number; readonly fence: Fence }
  /** `marks` backticks on either side. */
  | { readonly kind: 'span'; readonly start: number; readonly end: number; readonly marks: number };

const BACKTICK = 0x60;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;

/** Runs of backticks: where each begins, how long it is, and the paragraph it is in. A body may have 100,000 of them. */
interface Runs {
  readonly starts: number[];
  readonly lengths: number[];
  readonly paragraphs: number[];
}

/**
 * The fenced blocks and code spans of a markdown text, in order. Spans are CommonMark's: from a run of backticks to the
 * next equally long one of the same paragraph. Fences may be indented as deep as they like, so that an example in a list
 * is code too. Linear, also where no run is ever closed.
 */
export function codeRanges(markdown: string): CodeRange[] {
  const ranges: CodeRange[] = [];
  let from = 0;
  // Looked for again only where it is behind: thousands of fences of tildes must not each search the rest of the text.
  let backtick = markdown.indexOf('`');
  for (const fence of fencesOf(markdown, 'any')) {
    if (backtick !== -1 && backtick < fence.start) addSpans(ranges, markdown, from, fence.start);
    ranges.push({ kind: 'fence', start: fence.start, end: fence.end, fence });
    from = fence.end;
    if (backtick !== -1 && backtick < from) backtick = markdown.indexOf('`', from);
  }
  if (backtick !== -1) addSpans(ranges, markdown, from, markdown.length);
  return ranges;
}

function addSpans(ranges: CodeRange[], text: string, from: number, to: number): void {
  const runs = runsBetween(text, from, to);
  const partners = partnersOf(runs);
  for (let index = 0; index < partners.length; index += 1) {
    const partner = partners[index] ?? 0;
    const start = runs.starts[index] ?? 0;
    if (partner === 0 || isEscaped(text, start)) continue;
    const marks = runs.lengths[index] ?? 0;
    ranges.push({ kind: 'span', start, end: (runs.starts[partner] ?? 0) + marks, marks });
    index = partner;
  }
}

function runsBetween(text: string, from: number, to: number): Runs {
  const runs: Runs = { starts: [], lengths: [], paragraphs: [] };
  let paragraph = 0;
  let atLineStart = false;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === BACKTICK) {
      const start = at;
      while (text.charCodeAt(at + 1) === BACKTICK) at += 1;
      runs.starts.push(start);
      runs.lengths.push(at + 1 - start);
      runs.paragraphs.push(paragraph);
      atLineStart = false;
    } else if (unit === NEWLINE) {
      // A line with nothing but white space ends the paragraph.
      if (atLineStart) paragraph += 1;
      atLineStart = true;
    } else if (unit !== SPACE && unit !== TAB && unit !== RETURN) atLineStart = false;
  }
  return runs;
}

/** For each run the next one that is as long and in the same paragraph; 0, which is never the next one, for none. */
function partnersOf({ lengths, paragraphs }: Runs): number[] {
  const nearest = new Map<number, number>();
  const partners = lengths.map(() => 0);
  for (let index = lengths.length - 1; index >= 0; index -= 1) {
    const length = lengths[index] ?? 0;
    const next = nearest.get(length) ?? 0;
    if (paragraphs[next] === paragraphs[index]) partners[index] = next;
    nearest.set(length, index);
  }
  return partners;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
