import type { Reach } from './rule.ts';

/** What a pattern is tried on, around a word that ends at some offset. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Of a line that is longer, as in minified code, only this much around the word. */
const BEFORE = 400;
const BEHIND = 800;
/** Lines that continue each other. */
const LINES = 6;

export function rangeAround(text: string, at: number, reach: Reach): Range {
  const least = Math.max(0, at - BEFORE);
  const before = text.slice(least, at);
  const behind = text.slice(at, at + BEHIND);
  return reach === 'line'
    ? { start: least + lineStart(before), end: at + lineEnd(behind) }
    : { start: least + paragraphStart(before), end: at + paragraphEnd(behind) };
}

function lineStart(before: string): number {
  let start = before.lastIndexOf('\n') + 1;
  for (let lines = 1; lines < LINES && start > 0 && continues(before, start - 1); lines += 1)
    start = before.lastIndexOf('\n', start - 2) + 1;
  return start;
}

function lineEnd(behind: string): number {
  let end = behind.indexOf('\n');
  for (let lines = 1; lines < LINES && end !== -1 && continues(behind, end); lines += 1)
    end = behind.indexOf('\n', end + 1);
  return end === -1 ? behind.length : end;
}

/** Whether a shell reads on behind the line end at an offset. */
function continues(text: string, lineEnd: number): boolean {
  const before = text.charAt(lineEnd - 1) === '\r' ? lineEnd - 2 : lineEnd - 1;
  const last = text.charAt(before);
  return last === '\\' || last === '|' || (last === '&' && text.charAt(before - 1) === '&');
}

/** Paragraphs end at a line that is empty, whatever ends lines. */
function paragraphStart(before: string): number {
  const blank = before.lastIndexOf('\n\n');
  const other = before.lastIndexOf('\n\r\n');
  return Math.max(blank === -1 ? 0 : blank + 2, other === -1 ? 0 : other + 3);
}

function paragraphEnd(behind: string): number {
  const blank = behind.indexOf('\n\n');
  const other = behind.indexOf('\n\r\n');
  return Math.min(blank === -1 ? behind.length : blank, other === -1 ? behind.length : other);
}
