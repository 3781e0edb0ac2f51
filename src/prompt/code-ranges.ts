import { type Fence, fencesOf } from '../text/fences.ts';

/** A part of a markdown text that is code: UTF-16 units, its marks included. */
export type CodeRange =
  | { readonly kind: 'fence'; readonly start: number; readonly end: number; readonly fence: Fence }
  /** `marks` backticks on either side. */
  | { readonly kind: 'span'; readonly start: number; readonly end: number; readonly marks: number };

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAB = 0x09;
const SPACE = 0x20;

/** A run of backticks, and the paragraph it is in. */
interface Marks {
  readonly start: number;
  readonly length: number;
  readonly paragraph: number;
}

/**
 * The fenced blocks and code spans of a markdown text, in order. Spans are CommonMark's: from a run of backticks to the
 * next equally long one of the same paragraph. Fences may be indented as deep as they like, so that an example in a list
 * is code too. Linear, also where no run is ever closed.
 */
export function codeRanges(markdown: string): CodeRange[] {
  const ranges: CodeRange[] = [];
  let from = 0;
  for (const fence of fencesOf(markdown, 'any')) {
    addSpans(ranges, markdown, from, fence.start);
    ranges.push({ kind: 'fence', start: fence.start, end: fence.end, fence });
    from = fence.end;
  }
  addSpans(ranges, markdown, from, markdown.length);
  return ranges;
}

function addSpans(ranges: CodeRange[], text: string, from: number, to: number): void {
  const runs = marksBetween(text, from, to);
  const partners = partnersOf(runs);
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    const partner = partners[index] ?? 0;
    const close = partner === 0 ? undefined : runs[partner];
    if (open === undefined || close === undefined || isEscaped(text, open.start)) continue;
    ranges.push({ kind: 'span', start: open.start, end: close.start + close.length, marks: open.length });
    index = partner;
  }
}

function marksBetween(text: string, from: number, to: number): Marks[] {
  const runs: Marks[] = [];
  let paragraph = 0;
  let last = from;
  for (let at = text.indexOf('`', from); at !== -1 && at < to; at = text.indexOf('`', at)) {
    const start = at;
    while (text.charAt(at) === '`') at += 1;
    if (hasBlankLine(text, last, start)) paragraph += 1;
    runs.push({ start, length: at - start, paragraph });
    last = at;
  }
  return runs;
}

function hasBlankLine(text: string, from: number, to: number): boolean {
  let atLineStart = false;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === NEWLINE && atLineStart) return true;
    if (unit === NEWLINE) atLineStart = true;
    else if (unit !== SPACE && unit !== TAB && unit !== RETURN) atLineStart = false;
  }
  return false;
}

/** For each run the next one that is as long and in the same paragraph; 0, which is never the next one, for none. */
function partnersOf(runs: readonly Marks[]): Uint32Array {
  const nearest = new Map<number, number>();
  const partners = new Uint32Array(runs.length);
  let paragraph = -1;
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const run = runs[index];
    if (run === undefined) continue;
    if (run.paragraph !== paragraph) nearest.clear();
    paragraph = run.paragraph;
    partners[index] = nearest.get(run.length) ?? 0;
    nearest.set(run.length, index);
  }
  return partners;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
