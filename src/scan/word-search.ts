import {
  byBytes,
  bytesOf,
  FOLDED,
  HASHES,
  hashOf,
  hashOfLate,
  hashOfShort,
  hashOfShortest,
  hashOfWhole,
  type Kind,
  kindOf,
  KINDS,
  SHORTEST_WORD,
  WINDOW,
  type Window,
  windowsOf,
} from './word-windows.ts';

const SPACE = 0x20;
const PAIRS = 1 << 16;
/** By a folded byte, those that are folded into it. */
const UNFOLDED = Array.from({ length: 256 }, (_, folded) =>
  [...FOLDED.keys()].filter((byte) => FOLDED[byte] === folded),
);
const ANY_BYTE = [...FOLDED.keys()];

/** How many bits the windows of a kind share: those that say little let through more. */
const BITS: Readonly<Record<Kind, number>> = { whole: 11, short: 10, shortest: 2, late: 8 };

/** Bytes of a text that go through one step before the next. */
const CHUNK = 1 << 13;
/** A window begins at every second byte, and there may be some in front of a chunk. */
const MOST_PLACES = CHUNK / 2 + WINDOW;

/** What is kept of a window in one row of numbers: the word's number, the offset in it, its length, where it is kept. */
const ROW = 4;

/**
 * Finds many words in one pass over bytes, without regard to ASCII case and to kinds of white space. Of each word two
 * windows beside each other are known, so that one of them begins at an even offset wherever the word stands. There three
 * pairs of bytes are looked up; where one bit is set for all three, the bytes are hashed; where a word has this hash, it
 * is compared. What passes one step is noted for the next without a branch: a processor that guesses a branch wrong loses
 * more time than the work on some bytes takes.
 */
export class WordSearch {
  /** By the bytes of a window's first, second and third pair: the bits of the windows that may have it. */
  readonly #first = new Int32Array(PAIRS);
  readonly #second = new Int32Array(PAIRS);
  readonly #third = new Int32Array(PAIRS);
  /** All bits of a kind. */
  readonly #bitsOf: Record<Kind, number> = { whole: 0, short: 0, shortest: 0, late: 0 };
  /** By the hash of what a window has: 0 for none, else a bucket's number. */
  readonly #hashes = new Uint16Array(HASHES);
  /** By bucket: where its rows begin; they end where those of the next one begin. */
  readonly #firstRows: Int32Array;
  readonly #rows: Int32Array;
  /** All words, one after the other. */
  readonly #words: Uint8Array;
  /** By word, where the last one ended in the text that is searched; -1 for none. */
  readonly #done: Int32Array;
  /** Bytes in front of a chunk and behind it that words may reach into; even. */
  readonly #margin: number;
  /** A chunk of the text with its margins, and the same as pairs. */
  readonly #bytes: Uint8Array;
  readonly #pairs: Uint16Array;
  /** Pairs where a window may begin, and the bits that say so. */
  readonly #places = new Int32Array(MOST_PLACES);
  readonly #bits = new Int32Array(MOST_PLACES);
  /** Bytes where a window is likely to begin, and the bucket that it would be in. */
  readonly #likely = new Int32Array(KINDS.length * MOST_PLACES);
  readonly #buckets = new Uint16Array(KINDS.length * MOST_PLACES);

  /** Words are lower case, at least three bytes long; those that are bytes are taken as they are. */
  constructor(words: readonly (string | Uint8Array)[]) {
    const folded = words.map((word) => {
      const bytes = typeof word === 'string' ? new TextEncoder().encode(word) : word;
      if (bytes.length < SHORTEST_WORD) throw new Error(`too short to be searched for: ${String(word)}`);
      return bytes.map((byte) => FOLDED[byte] ?? 0);
    });
    this.#done = new Int32Array(words.length);
    const longest = folded.reduce((most, { length }) => Math.max(most, length), 0);
    this.#margin = 2 * (longest + WINDOW);
    this.#bytes = new Uint8Array(CHUNK + 2 * this.#margin);
    this.#pairs = new Uint16Array(this.#bytes.buffer);
    const offsets = runningSums(folded.map(({ length }) => length));
    this.#words = new Uint8Array(offsets[folded.length] ?? 0);
    for (const [number, bytes] of folded.entries()) this.#words.set(bytes, offsets[number]);

    const windows = folded.flatMap(windowsOf);
    this.#setBits(windows);
    const buckets: Window[][] = [[]];
    // Of a word in itself the one that begins first is to be found first.
    for (const window of windows.toSorted((left, right) => right.offset - left.offset)) {
      const hash = hashOf(window);
      const bucket = this.#hashes[hash] || buckets.push([]) - 1;
      this.#hashes[hash] = bucket;
      buckets[bucket]?.push(window);
    }
    this.#firstRows = runningSums(buckets.map(({ length }) => length * ROW));
    this.#rows = new Int32Array(this.#firstRows[buckets.length] ?? 0);
    for (const [index, { number, offset, word }] of buckets.flat().entries())
      this.#rows.set([number, offset, word.length, offsets[number] ?? 0], index * ROW);
  }

  /** Gives each window a bit that it shares with those that begin like it. */
  #setBits(windows: readonly Window[]): void {
    let from = 0;
    /** Those that say nothing of the third pair. */
    let unknown = 0;
    for (const kind of KINDS) {
      const alike = windows.filter((window) => kindOf(window) === kind).toSorted(byBytes);
      for (const [index, window] of alike.entries()) {
        const bit = 1 << (from + Math.floor((index * BITS[kind]) / alike.length));
        const [first, second, third, fourth, fifth, sixth] = bytesOf(window);
        setPairs(this.#first, first, second, bit);
        setPairs(this.#second, third, fourth, bit);
        if (fifth === undefined) unknown |= bit;
        else setPairs(this.#third, fifth, sixth, bit);
        this.#bitsOf[kind] |= bit;
      }
      from += BITS[kind];
    }
    for (let pair = 0; pair < PAIRS; pair += 1) this.#third[pair] = (this.#third[pair] ?? 0) | unknown;
  }

  /**
   * Calls back for each word that is found, with its number and where it ends; those of one word in order, and no two of
   * them overlap. A text begins and ends as if white space stood around it.
   */
  search(bytes: Uint8Array, found: (word: number, end: number) => void): void {
    this.#done.fill(-1);
    for (let from = 0; from < bytes.length; from += CHUNK) {
      this.#load(bytes, from);
      const pairs = (Math.min(CHUNK, bytes.length - from) + 1) >> 1;
      const likely = this.#hash(this.#lookUp(pairs));
      for (let index = 0; index < likely; index += 1) {
        const bucket = this.#buckets[index] ?? 0;
        this.#compare(bucket, this.#likely[index] ?? 0, from - this.#margin, bytes.length, found);
      }
    }
  }

  /** Copies a chunk of a text, with what is around it. */
  #load(bytes: Uint8Array, from: number): void {
    const start = Math.max(0, from - this.#margin);
    const end = Math.min(bytes.length, from + CHUNK + this.#margin);
    if (from === 0) this.#bytes.fill(SPACE, 0, this.#margin);
    this.#bytes.set(bytes.subarray(start, end), start - from + this.#margin);
    this.#bytes.fill(SPACE, end - from + this.#margin);
  }

  /** Notes the places where a window may begin, of so many pairs; answers how many these are. */
  #lookUp(count: number): number {
    const [pairs, first, second, third] = [this.#pairs, this.#first, this.#second, this.#third];
    const [places, bits] = [this.#places, this.#bits];
    // The first window of a word may begin in front of it.
    const from = this.#margin / 2 - 1;
    const to = from + count + 1;
    let found = 0;
    let next = pairs[from + 1] ?? 0;
    let ofNext = first[next] ?? 0;
    let ofTwo = (first[pairs[from] ?? 0] ?? 0) & (second[next] ?? 0);
    for (let place = from; place < to; place += 1) {
      next = pairs[place + 2] ?? 0;
      const ofAll = ofTwo & (third[next] ?? 0);
      places[found] = place;
      bits[found] = ofAll;
      found += (ofAll | -ofAll) >>> 31;
      ofTwo = ofNext & (second[next] ?? 0);
      ofNext = first[next] ?? 0;
    }
    return found;
  }

  /** Notes the buckets that words at so many places would be in; answers how many these are. */
  #hash(count: number): number {
    const [places, bits, likely, buckets] = [this.#places, this.#bits, this.#likely, this.#buckets];
    const [bytes, hashes, folded] = [this.#bytes, this.#hashes, FOLDED];
    const { whole, short, shortest, late } = this.#bitsOf;
    let found = 0;
    for (let place = 0; place < count; place += 1) {
      const at = 2 * (places[place] ?? 0);
      const set = bits[place] ?? 0;
      const four =
        ((folded[bytes[at] ?? 0] ?? 0) << 24) |
        ((folded[bytes[at + 1] ?? 0] ?? 0) << 16) |
        ((folded[bytes[at + 2] ?? 0] ?? 0) << 8) |
        (folded[bytes[at + 3] ?? 0] ?? 0);
      const two = ((folded[bytes[at + 4] ?? 0] ?? 0) << 8) | (folded[bytes[at + 5] ?? 0] ?? 0);
      const ofWhole = (hashes[hashOfWhole(four, two)] ?? 0) & anyOf(set & whole);
      likely[found] = at;
      buckets[found] = ofWhole;
      found += -ofWhole >>> 31;
      const ofShort = (hashes[hashOfShort(four)] ?? 0) & anyOf(set & short);
      likely[found] = at;
      buckets[found] = ofShort;
      found += -ofShort >>> 31;
      const ofShortest = (hashes[hashOfShortest(four)] ?? 0) & anyOf(set & shortest);
      likely[found] = at;
      buckets[found] = ofShortest;
      found += -ofShortest >>> 31;
      const ofLate = (hashes[hashOfLate(four)] ?? 0) & anyOf(set & late);
      likely[found] = at;
      buckets[found] = ofLate;
      found += -ofLate >>> 31;
    }
    return found;
  }

  #compare(
    bucket: number,
    at: number,
    offset: number,
    length: number,
    found: (word: number, end: number) => void,
  ): void {
    const [rows, bytes, words, folded] = [this.#rows, this.#bytes, this.#words, FOLDED];
    const behind = this.#firstRows[bucket + 1] ?? 0;
    for (let row = this.#firstRows[bucket] ?? 0; row < behind; row += ROW) {
      const number = rows[row] ?? 0;
      const start = at - (rows[row + 1] ?? 0);
      const least = rows[row + 2] ?? 0;
      const end = offset + start + least;
      if (end > length || offset + start < (this.#done[number] ?? 0)) continue;
      const word = rows[row + 3] ?? 0;
      let same = 0;
      while (same < least && words[word + same] === folded[bytes[start + same] ?? 0]) same += 1;
      if (same < least) continue;
      this.#done[number] = end;
      found(number, end);
    }
  }
}

/** Sets a bit for all pairs of bytes that are folded into two bytes; for any byte where there is none. */
function setPairs(
  table: Int32Array,
  first: number | undefined,
  second: number | undefined,
  bit: number,
): void {
  const lows = first === undefined ? ANY_BYTE : (UNFOLDED[first] ?? []);
  const highs = second === undefined ? ANY_BYTE : (UNFOLDED[second] ?? []);
  for (const low of lows)
    for (const high of highs) table[low | (high << 8)] = (table[low | (high << 8)] ?? 0) | bit;
}

/** From 0 on, one more than there are numbers. */
function runningSums(numbers: readonly number[]): Int32Array {
  const sums = new Int32Array(numbers.length + 1);
  for (const [index, number] of numbers.entries()) sums[index + 1] = (sums[index] ?? 0) + number;
  return sums;
}

/** All bits where any is set, else none. */
function anyOf(bits: number): number {
  return (bits | -bits) >> 31;
}
