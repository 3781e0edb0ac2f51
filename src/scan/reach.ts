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
  const most = Math.min(text.length, at + BEHIND);
  return reach === 'line'
    ? { start: lineStart(text, at, least), end: lineEnd(text, at, most) }
    : { start: paragraphStart(text, at, least), end: paragraphEnd(text, at, most) };
}

// Characters are looked at one by one: lines are so short that calls of `lastIndexOf` and slices for them cost more.
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BACKSLASH = 0x5c;
const BAR = 0x7c;
const AMPERSAND = 0x26;

function lineStart(text: string, at: number, least: number): number {
  let start = feedBefore(text, at, least) + 1;
  for (let lines = 1; lines < LINES && start > least && continues(text, start - 1, least); lines += 1)
    start = feedBefore(text, start - 1, least) + 1;
  return start;
}

function lineEnd(text: string, at: number, most: number): number {
  let end = feedFrom(text, at, most);
  for (let lines = 1; lines < LINES && end < most && continues(text, end, at); lines += 1)
    end = feedFrom(text, end + 1, most);
  return end;
}

/** The last line feed in front of an offset; the one in front of `least` where there is none from there on. */
function feedBefore(text: string, at: number, least: number): number {
  let feed = at - 1;
  while (feed >= least && text.charCodeAt(feed) !== LINE_FEED) feed -= 1;
  return feed;
}

function feedFrom(text: string, at: number, most: number): number {
  let feed = at;
  while (feed < most && text.charCodeAt(feed) !== LINE_FEED) feed += 1;
  return feed;
}

/** Whether a shell reads on behind the line end at an offset; nothing in front of `least` counts. */
function continues(text: string, lineEnd: number, least: number): boolean {
  const codeAt = (at: number): number => (at < least ? 0 : text.charCodeAt(at));
  const before = codeAt(lineEnd - 1) === CARRIAGE_RETURN ? lineEnd - 2 : lineEnd - 1;
  const last = codeAt(before);
  return last === BACKSLASH || last === BAR || (last === AMPERSAND && codeAt(before - 1) === AMPERSAND);
}

/** Paragraphs end at a line that is empty, whatever ends lines. */
function paragraphStart(text: string, at: number, least: number): number {
  for (let feed = feedBefore(text, at, least); feed > least; feed = feedBefore(text, feed, least)) {
    const before = text.charCodeAt(feed - 1);
    if (before === LINE_FEED) return feed + 1;
    if (before === CARRIAGE_RETURN && feed - 2 >= least && text.charCodeAt(feed - 2) === LINE_FEED)
      return feed + 1;
  }
  return least;
}

function paragraphEnd(text: string, at: number, most: number): number {
  for (let feed = feedFrom(text, at, most); feed + 1 < most; feed = feedFrom(text, feed + 1, most)) {
    const behind = text.charCodeAt(feed + 1);
    if (behind === LINE_FEED) return feed;
    if (behind === CARRIAGE_RETURN && feed + 2 < most && text.charCodeAt(feed + 2) === LINE_FEED) return feed;
  }
  return most;
}
