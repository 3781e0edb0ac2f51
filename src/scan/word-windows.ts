import { rarestPart } from './word-rarity.ts';

/** Bytes as they are compared: ASCII letters in lower case, white space of any kind as a space. */
export const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x09 && byte <= 0x0d) return 0x20;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

/** Bytes that are looked at together: three pairs. */
export const WINDOW = 6;
/** Words of fewer bytes are in every text, and tell nothing. */
export const SHORTEST_WORD = 3;

/** Some bytes of a word, at one offset in it; -1 where any byte may stand in front of them. */
export interface Window {
  readonly number: number;
  readonly word: Uint8Array;
  readonly offset: number;
}

/**
 * What of a window its word says: all six bytes; at least the first four; only the first three; all but the first, of
 * which three are counted on.
 */
export const KINDS = ['whole', 'short', 'shortest', 'late'] as const;
export type Kind = (typeof KINDS)[number];

/** The two windows beside each other that a word is found by. */
export function windowsOf(word: Uint8Array, number: number): readonly Window[] {
  const at = word.length <= WINDOW ? 0 : rarestPart(word, WINDOW + 1);
  // Of a short word, one that begins in front of it has more of it.
  return [at, word.length < WINDOW - 1 ? -1 : at + 1].map((offset) => ({ number, word, offset }));
}

export function kindOf({ word, offset }: Window): Kind {
  if (offset < 0) return 'late';
  const { length } = word.subarray(offset);
  if (length >= WINDOW) return 'whole';
  return length > SHORTEST_WORD ? 'short' : 'shortest';
}

/** A window's bytes; undefined for those that may be any. */
export function bytesOf({ word, offset }: Window): (number | undefined)[] {
  return Array.from({ length: WINDOW }, (_, at) => word[offset + at]);
}

/** For sorting: windows that begin alike stand together. */
export function byBytes(left: Window, right: Window): number {
  for (let at = 0; at < WINDOW; at += 1) {
    const difference = (left.word[left.offset + at] ?? -1) - (right.word[right.offset + at] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The number of different hashes. */
export const HASHES = 1 << 16;

// Of the bytes that a window of a kind has for certain: folded, the first one in the highest place.
export function hashOfWhole(four: number, two: number): number {
  return mixed(Math.imul(four, MIX) ^ (two << 7));
}
export function hashOfShort(four: number): number {
  return mixed(four);
}
export function hashOfShortest(four: number): number {
  return mixed(four >>> 8);
}
export function hashOfLate(four: number): number {
  return mixed((four & 0xff_ffff) | LATE);
}

export function hashOf(window: Window): number {
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0] = bytesOf(window);
  const four = (first << 24) | (second << 16) | (third << 8) | fourth;
  const kind = kindOf(window);
  if (kind === 'whole') return hashOfWhole(four, (fifth << 8) | sixth);
  if (kind === 'short') return hashOfShort(four);
  return kind === 'late' ? hashOfLate(four) : hashOfShortest(four);
}

const MIX = 0x9e3779b1 | 0;
/** Keeps three bytes behind any other apart from three at the beginning. */
const LATE = 1 << 24;

function mixed(bytes: number): number {
  return Math.imul(bytes, MIX) >>> 16;
}
