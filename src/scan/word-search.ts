import { FREQUENT_GRAMS } from './frequent-grams.ts';

/** Bytes as they are compared: ASCII letters in lower case, white space of any kind as a space. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x09 && byte <= 0x0d) return 0x20;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

/** From the most frequent character of English on; all others are rarer. */
const FREQUENT = ' -etaoinsrhldcum/fpg.wy#*=|`_bvkxjqz';
const RARITY = Uint8Array.from({ length: 256 }, (_, byte) => {
  const rank = FREQUENT.indexOf(String.fromCharCode(byte));
  return rank === -1 ? FREQUENT.length : rank;
});

/** Bytes that are looked for as if they were one, so that four fit into few bits; all others of ASCII are one class as well. */
const ALIKE = [' ', ...'abcdefghiklmnoprstuvwy', 'qjzx', '/', '.:', '-_', '\'"`', '*#|', '0123456789'];
const CLASS_BITS = 5;
const CLASSES = 1 << CLASS_BITS;
const CLASS = FOLDED.map((byte) => {
  // Bytes of other characters are spread over all classes: were they alike, every line drawn with them would be looked up.
  if (byte >= 0x80) return byte % CLASSES;
  return ALIKE.findIndex((bytes) => bytes.includes(String.fromCharCode(byte))) + 1;
});
const SPACE = CLASS[0x20] ?? 0;

/** Bytes of a word that are looked for before the word is. */
const GRAM = 4;
const GRAMS = 1 << (GRAM * CLASS_BITS);
/** Words of fewer bytes are in every text, and tell nothing. */
const SHORTEST_WORD = 3;

/** Which of the four bytes of a word are looked for: all, or the three beside any other. */
const [ALL, LAST, FIRST] = [1, 2, 4];

/** Size of the table of hashes of bytes. */
const BITS = 14;
const MIX = 0x9e3779b1 | 0;

/** What is kept of a word in one row of numbers, so that comparing touches little memory. */
const ROW = 5;
interface Sought {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Where the bytes that are looked for end, from the word's beginning. */
  readonly end: number;
}

/**
 * Finds many words in one pass over bytes, without regard to ASCII case and to kinds of white space. At every second
 * position the classes of the last four bytes are looked up; of each word two times four bytes, beside each other, are in
 * that table, so one of them ends at such a position wherever the word stands. Only there are bytes hashed, and only where
 * a word has these, it is compared.
 */
export class WordSearch {
  /** By the classes of four bytes: in which ways a word may have such bytes. */
  readonly #likely = new Uint8Array(GRAMS);
  /** By the hash of bytes: 0 for none, else a bucket's number. */
  readonly #hashes = new Uint16Array(1 << BITS);
  /** By bucket: where its rows begin; they end where those of the next one begin. */
  readonly #firstRows: Int32Array;
  /** Of each: the word's number, where what is looked for ends in it, its length, its first three bytes, where it is kept. */
  readonly #rows: Int32Array;
  /** All words, one after the other. */
  readonly #words: Uint8Array;
  /** By word, where the last one ended in the text that is searched; -1 for none. */
  readonly #done: Int32Array;

  /** Words are lower case, at least three bytes long; those that are bytes are taken as they are. */
  constructor(words: readonly (string | Uint8Array)[]) {
    this.#done = new Int32Array(words.length);
    const buckets: Sought[][] = [[]];
    const kept: Uint8Array[] = [];
    for (const [number, word] of words.entries()) {
      const bytes = (typeof word === 'string' ? new TextEncoder().encode(word) : word).map(
        (byte) => FOLDED[byte] ?? 0,
      );
      if (bytes.length < SHORTEST_WORD) throw new Error(`too short to be searched for: ${String(word)}`);
      kept.push(bytes);
      const rarest = rarestEnd(bytes);
      for (const end of [rarest, rarest - 1]) {
        const { hash, way, classes } = gramOf(bytes, end);
        for (const likely of classes) this.#likely[likely] = (this.#likely[likely] ?? 0) | way;
        const bucket = this.#hashes[hash] || buckets.push([]) - 1;
        this.#hashes[hash] = bucket;
        buckets[bucket]?.push({ number, bytes, end });
      }
    }
    const offsets = runningSums(kept.map(({ length }) => length));
    this.#words = new Uint8Array(offsets[kept.length] ?? 0);
    for (const [number, bytes] of kept.entries()) this.#words.set(bytes, offsets[number]);
    this.#firstRows = runningSums(buckets.map(({ length }) => length * ROW));
    this.#rows = new Int32Array(this.#firstRows[buckets.length] ?? 0);
    for (const [index, { number, bytes, end }] of buckets.flat().entries())
      this.#rows.set(
        [number, end, bytes.length, threeAt(bytes, bytes.length, 0), offsets[number] ?? 0],
        index * ROW,
      );
  }

  /**
   * Calls back for each word that is found, with its number and where it ends; those of one word in order, and no two of
   * them overlap. A text begins and ends as if white space stood around it.
   */
  search(bytes: Uint8Array, found: (word: number, end: number) => void): void {
    const likely = this.#likely;
    this.#done.fill(-1);
    // Asked for once: asking costs more than all the rest of a step.
    const { length } = bytes;
    const even = length & ~1;
    let last = (SPACE << CLASS_BITS) | SPACE;
    for (let at = 0; at < even; at += 2) {
      last =
        ((last << (2 * CLASS_BITS)) |
          ((CLASS[bytes[at] ?? 0] ?? 0) << CLASS_BITS) |
          (CLASS[bytes[at + 1] ?? 0] ?? 0)) &
        (GRAMS - 1);
      const ways = likely[last] ?? 0;
      if (ways !== 0) this.#lookUp(ways, bytes, length, at + 2, found);
    }
    // What ends a text may be looked for with a byte behind it.
    this.#lookUp(ALL | LAST | FIRST, bytes, length, even + 2, found);
  }

  /** Looks for words by the four bytes in front of an offset. */
  #lookUp(
    ways: number,
    bytes: Uint8Array,
    length: number,
    at: number,
    found: (word: number, end: number) => void,
  ): void {
    const last = threeAt(bytes, length, at - 3);
    const gram = (foldedAt(bytes, length, at - GRAM) << 24) | last;
    if ((ways & ALL) !== 0) this.#compare(hashOf(gram), bytes, length, at, found);
    // In this order, so that of a word in itself the one that begins first is found first.
    if ((ways & FIRST) !== 0) this.#compare(hashOfFirst(gram >>> 8), bytes, length, at, found);
    if ((ways & LAST) !== 0) this.#compare(hashOfLast(last), bytes, length, at, found);
  }

  #compare(
    hash: number,
    bytes: Uint8Array,
    length: number,
    at: number,
    found: (word: number, end: number) => void,
  ): void {
    const bucket = this.#hashes[hash] ?? 0;
    if (bucket === 0) return;
    const rows = this.#rows;
    const behind = this.#firstRows[bucket + 1] ?? 0;
    for (let row = this.#firstRows[bucket] ?? 0; row < behind; row += ROW) {
      const start = at - (rows[row + 1] ?? 0);
      if (threeAt(bytes, length, start) !== rows[row + 3]) continue;
      const least = rows[row + 2] ?? 0;
      const end = start + least;
      const number = rows[row] ?? 0;
      if (end > length || start < (this.#done[number] ?? 0)) continue;
      const word = rows[row + 4] ?? 0;
      let same = SHORTEST_WORD;
      while (same < least && this.#words[word + same] === FOLDED[bytes[start + same] ?? 0]) same += 1;
      if (same < least) continue;
      this.#done[number] = end;
      found(number, end);
    }
  }
}

/** Three folded bytes as a number. Around a text is white space. */
function threeAt(bytes: Uint8Array, length: number, at: number): number {
  if (at >= 0 && at + 2 < length)
    return (
      ((FOLDED[bytes[at] ?? 0] ?? 0) << 16) |
      ((FOLDED[bytes[at + 1] ?? 0] ?? 0) << 8) |
      (FOLDED[bytes[at + 2] ?? 0] ?? 0)
    );
  return (
    (foldedAt(bytes, length, at) << 16) |
    (foldedAt(bytes, length, at + 1) << 8) |
    foldedAt(bytes, length, at + 2)
  );
}

function foldedAt(bytes: Uint8Array, length: number, at: number): number {
  return at < 0 || at >= length ? 0x20 : (FOLDED[bytes[at] ?? 0] ?? 0);
}

function hashOf(gram: number): number {
  return Math.imul(gram, MIX) >>> (32 - BITS);
}

/** Of three bytes, in front of which or behind which any other may stand; these hashes differ from those of four. */
function hashOfLast(bytes: number): number {
  return hashOf(bytes ^ 0x55000000);
}
function hashOfFirst(bytes: number): number {
  return hashOf(bytes ^ 0x2a000000);
}

/**
 * The four bytes of a word that end at an offset: their hash, and their classes. Where that is too near to one of the
 * word's ends for four, any byte may stand beside three.
 */
function gramOf(word: Uint8Array, end: number): { hash: number; way: number; classes: number[] } {
  const part = word.subarray(Math.max(0, end - GRAM), end);
  const bytes = part.reduce((gram, byte) => (gram << 8) | byte, 0);
  const classes = part.reduce((gram, byte) => (gram << CLASS_BITS) | (CLASS[byte] ?? 0), 0);
  if (part.length === GRAM) return { hash: hashOf(bytes), way: ALL, classes: [classes] };
  const any = Array.from({ length: CLASSES }, (_, other) => other);
  return end < GRAM
    ? {
        hash: hashOfLast(bytes),
        way: LAST,
        classes: any.map((other) => (other << (3 * CLASS_BITS)) | classes),
      }
    : { hash: hashOfFirst(bytes), way: FIRST, classes: any.map((other) => (classes << CLASS_BITS) | other) };
}

/** From 0 on, one more than there are numbers. */
function runningSums(numbers: readonly number[]): Int32Array {
  const sums = new Int32Array(numbers.length + 1);
  for (const [index, number] of numbers.entries()) sums[index + 1] = (sums[index] ?? 0) + number;
  return sums;
}

/** Where those five bytes of a word end that are the rarest; of a short word, with one byte behind it. */
function rarestEnd(word: Uint8Array): number {
  const text = String.fromCharCode(...word);
  let best = { cost: Infinity, end: GRAM };
  let before = frequencyOf(text, 0);
  for (let end = GRAM + 1; end <= word.length; end += 1) {
    const cost = frequencyOf(text, end - GRAM);
    if (before + cost < best.cost) best = { cost: before + cost, end };
    before = cost;
  }
  return best.end;
}

/** Some share of all text that four bytes have, roughly: the frequent ones by their rank, others by each byte. */
function frequencyOf(text: string, at: number): number {
  const rank = FREQUENT_GRAMS.get(text.slice(at, at + GRAM));
  if (rank !== undefined) return 1 / (rank + 20);
  let rarity = 0;
  for (let next = at; next < at + GRAM; next += 1) rarity += RARITY[text.charCodeAt(next)] ?? 0;
  return 1 / (2 * FREQUENT_GRAMS.size + 100 * rarity);
}
