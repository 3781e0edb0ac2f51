/** A vocabulary as the tokenizer has it: at each rank a token's text, or its bytes where these are no text. */
export type Vocabulary = readonly (string | readonly number[] | undefined)[];

/** The rank of the token that goes from one byte to another; undefined where there is none. */
type RankOf = (start: number, end: number) => number | undefined;

/** Higher than every rank: no token. */
const NO_TOKEN = 0x7fff_ffff;
const ASCII = 128;

/**
 * Counts the tokens of one piece of a text by byte pair encoding: of all neighbours that are a token together, those of
 * the lowest rank are joined first. The tokenizer's own gives the same (the tests compare them), but encodes and decodes
 * each pair that it looks at. The time grows with the square of the length.
 */
export function bytePairCounter(vocabulary: Vocabulary): (piece: string) => number {
  const texts = new Map<string, number>();
  // Parts of characters, one character for each byte.
  const fragments = new Map<string, number>();
  // Of two ASCII characters, by their codes: half of all questions, without a look into a map of 200,000.
  const pairs = new Int32Array(ASCII * ASCII).fill(NO_TOKEN);
  for (const [rank, token] of vocabulary.entries()) {
    if (typeof token === 'string') {
      texts.set(token, rank);
      const [first, second] = [token.charCodeAt(0), token.charCodeAt(1)];
      if (token.length === 2 && first < ASCII && second < ASCII) pairs[first * ASCII + second] = rank;
    } else if (token) fragments.set(String.fromCharCode(...token), rank);
  }
  return (piece) => {
    if (texts.has(piece)) return 1;
    const text = piece.toWellFormed();
    const bytes = Buffer.from(text).toString('latin1');
    if (bytes.length === text.length)
      return countJoined(text.length, (start, end) =>
        end - start === 2
          ? pairs[text.charCodeAt(start) * ASCII + text.charCodeAt(start + 1)]
          : texts.get(text.slice(start, end)),
      );
    const characters = charactersAt(text, bytes.length);
    return countJoined(bytes.length, (start, end) => {
      const [from = INSIDE, to = INSIDE] = [characters[start], characters[end]];
      if (from === INSIDE || to === INSIDE) return fragments.get(bytes.slice(start, end));
      return texts.get(text.slice(from, to));
    });
  };
}

/** No character begins at this byte. */
const INSIDE = 0xffff;

/** Which UTF-16 unit of a text begins at each of its bytes in UTF-8, and at their end. */
function charactersAt(text: string, bytes: number): Uint16Array {
  const characters = new Uint16Array(bytes + 1).fill(INSIDE);
  let [byte, unit] = [0, 0];
  for (const character of text) {
    characters[byte] = unit;
    byte += Buffer.byteLength(character);
    unit += character.length;
  }
  characters[byte] = unit;
  return characters;
}

/** Plain loops over numbers: every word that was not there before comes through here. */
function countJoined(bytes: number, rankOf: RankOf): number {
  // Part `at` goes from starts[at] to starts[at + 1], and has the rank joined[at] together with the part after it.
  const starts = new Uint16Array(bytes + 1);
  const joined = new Int32Array(bytes);
  const join = (at: number): number => rankOf(starts[at] ?? 0, starts[at + 2] ?? 0) ?? NO_TOKEN;
  let parts = bytes;
  for (let at = 0; at <= bytes; at += 1) starts[at] = at;
  for (let at = 0; at < bytes; at += 1) joined[at] = at + 1 < bytes ? join(at) : NO_TOKEN;
  for (;;) {
    let [lowest, best] = [NO_TOKEN, -1];
    for (let at = 0; at < parts; at += 1) {
      const rank = joined[at] ?? NO_TOKEN;
      if (rank < lowest) [lowest, best] = [rank, at];
    }
    if (best === -1) return parts;
    starts.copyWithin(best + 1, best + 2, parts + 1);
    joined.copyWithin(best, best + 1, parts);
    parts -= 1;
    joined[best] = best + 1 < parts ? join(best) : NO_TOKEN;
    if (best > 0) joined[best - 1] = join(best - 1);
  }
}
