/** Bytes as they are compared: ASCII letters in lower case, white space of any kind as a space. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x09 && byte <= 0x0d) return 0x20;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

/** From the most frequent character of English on; all others are rarer. */
const FREQUENT = new TextEncoder().encode(' -etaoinsrhldcum/fpg.wy#*=|`_bvkxjqz');

/** Size of the tables of hashes: large enough that few of the bytes of a text are in them by chance. */
const BITS = 17;
const MIX = 0x9e3779b1 | 0;

/** Bytes of a word that are looked for before the word is. */
const GRAM = 4;
/** Words of fewer bytes are in every text, and tell nothing. */
const SHORTEST_WORD = 3;

interface Word {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** Of the bytes that are looked for: where they end in the word. */
  readonly end: number;
}

/**
 * Finds many words in one pass over bytes, without regard to ASCII case and to kinds of white space. At each position the
 * last four bytes are looked up in a table of the rarest four of each word; only where they are in it are words compared.
 */
export class WordSearch {
  /** By the hash of the bytes that are looked for, one table for words of three: 0 for none, else a bucket's number. */
  readonly #long = new Uint16Array(1 << BITS);
  readonly #short = new Uint16Array(1 << BITS);
  readonly #buckets: Word[][] = [[]];
  readonly #count: number;

  /** Words are lower case, at least three bytes long; those that are bytes are taken as they are. */
  constructor(words: readonly (string | Uint8Array)[]) {
    this.#count = words.length;
    for (const [number, word] of words.entries()) {
      const bytes = (typeof word === 'string' ? new TextEncoder().encode(word) : word).map(
        (byte) => FOLDED[byte] ?? 0,
      );
      if (bytes.length < SHORTEST_WORD) throw new Error(`too short to be searched for: ${String(word)}`);
      const length = Math.min(GRAM, bytes.length);
      const end = rarestEnd(bytes, length);
      let gram = 0;
      for (const byte of bytes.subarray(end - length, end)) gram = (gram << 8) | byte;
      const table = length === GRAM ? this.#long : this.#short;
      const bucket = table[hashOf(gram)] || this.#buckets.push([]) - 1;
      table[hashOf(gram)] = bucket;
      this.#buckets[bucket]?.push({ number, bytes, end });
    }
  }

  /**
   * Calls back for each word that is found, with its number and where it ends; those of one word in order, and no two of
   * them overlap. A text begins as if white space stood before it.
   */
  search(bytes: Uint8Array, found: (word: number, end: number) => void): void {
    const [long, short] = [this.#long, this.#short];
    const done = new Int32Array(this.#count).fill(-1);
    let last = 0x20;
    for (let at = 0; at < bytes.length; at += 1) {
      last = (last << 8) | (FOLDED[bytes[at] ?? 0] ?? 0);
      const bucket = long[hashOf(last)] ?? 0;
      if (bucket !== 0) this.#compare(bucket, bytes, at + 1, done, found);
      const other = short[hashOf(last & 0xffffff)] ?? 0;
      if (other !== 0) this.#compare(other, bytes, at + 1, done, found);
    }
  }

  #compare(
    bucket: number,
    bytes: Uint8Array,
    at: number,
    done: Int32Array,
    found: (word: number, end: number) => void,
  ): void {
    for (const { number, bytes: word, end } of this.#buckets[bucket] ?? []) {
      const start = at - end;
      if (start < (done[number] ?? 0)) continue;
      let same = 0;
      // In front of the text is white space.
      while (same < word.length && word[same] === (FOLDED[bytes[start + same] ?? 0x20] ?? 0)) same += 1;
      if (same < word.length || start + same > bytes.length) continue;
      done[number] = start + same;
      found(number, start + same);
    }
  }
}

function hashOf(gram: number): number {
  return Math.imul(gram, MIX) >>> (32 - BITS);
}

/** Where those bytes of a word end, some at a time, that are the rarest together. */
function rarestEnd(word: Uint8Array, length: number): number {
  let best = { rarity: -1, end: length };
  for (let end = length; end <= word.length; end += 1) {
    let rarity = 0;
    for (const byte of word.subarray(end - length, end)) {
      const rank = FREQUENT.indexOf(byte);
      rarity += rank === -1 ? FREQUENT.length : rank;
    }
    if (rarity > best.rarity) best = { rarity, end };
  }
  return best.end;
}
