/**
 * What kind of text something stands in.
 * `prose`, `heading`, `quote`, `span` (inline code), `table`, `hidden` (an HTML comment), `frontmatter`: of Markdown.
 * `block`: a fenced block that could be run; `sample`: one that could not.
 * `code`, `comment`, `string`: of a program. `data`: of a file that nobody runs. `decoded`: it was hidden in an encoding.
 */
export type Zone =
  | 'prose'
  | 'heading'
  | 'quote'
  | 'span'
  | 'table'
  | 'hidden'
  | 'frontmatter'
  | 'block'
  | 'sample'
  | 'code'
  | 'comment'
  | 'string'
  | 'data'
  | 'decoded';

/** Where a match stands, and what is said around it. */
export interface Place {
  readonly zone: Zone;
  /** What of the same sentence or statement stands in front of it, bounded. */
  readonly before: string;
  /** What stands behind it on its line, bounded. */
  readonly after: string;
  /** What introduces it: the line above a fenced block, or a comment above a statement. */
  readonly lead: string;
  /** The headings that it is under, the nearest first. */
  readonly headings: readonly string[];
}

/** A text as those who read it take it. Offsets are UTF-16 units. */
export interface TextModel {
  placeOf(start: number, end: number): Place;
}

/** A sentence is not looked back on further than this. */
const BEFORE = 160;
const AFTER = 80;

const SENTENCE_END = /[.!?。！？;；](?:["'`)\]]*\s)|\n\s*\n|\n\s*(?:[-*+|>#]|\d+[.)])\s/g;

/** The part of the sentence in front of an offset. */
export function sentenceBefore(text: string, start: number, least = 0): string {
  const part = text.slice(Math.max(least, start - BEFORE), start);
  let from = 0;
  for (const match of part.matchAll(SENTENCE_END)) from = match.index + match[0].length;
  return part.slice(from);
}

export function lineBefore(text: string, start: number, least = 0): string {
  const part = text.slice(Math.max(least, start - BEFORE), start);
  return part.slice(part.lastIndexOf('\n') + 1);
}

export function lineAfter(text: string, end: number): string {
  return text.slice(end, end + AFTER).split('\n', 1)[0] ?? '';
}

/** The nearest line above an offset that has something on it. */
export function lineAbove(text: string, start: number): string {
  const lines = text.slice(Math.max(0, start - 2 * BEFORE), start).split('\n');
  lines.pop();
  return lines.findLast((line) => line.trim() !== '')?.slice(-BEFORE) ?? '';
}
