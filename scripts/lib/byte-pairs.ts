/** A vocabulary as the tokenizer has it: at each rank a token's text, or its bytes where these are no text. */
export type Vocabulary = readonly (string | readonly number[] | undefined)[];

/** Higher than every rank: no token. */
const NO_TOKEN = 0x7fff_ffff;

/**
 * Counts the tokens of one piece of a text by byte pair encoding: of all neighbours that are a token together, those of
 * the lowest rank are joined first. The tokenizer's own gives the same (the tests compare them), but encodes and decodes
 * each pair that it looks at; here a byte is a character, as it is anyway in most pieces. The time grows with the square
 * of the length.
 */
export function bytePairCounter(vocabulary: Vocabulary): (piece: string) => number {
  const ranks = new Map<string, number>();
  for (const [rank, token] of vocabulary.entries()) if (typeof token === 'string') ranks.set(token, rank);
  let byteRanks: ReadonlyMap<string, number> | null = null;
  return (piece) => {
    if (ranks.has(piece)) return 1;
    if (isAscii(piece)) return countJoined(piece, ranks);
    byteRanks ??= ranksOfBytes(vocabulary);
    return countJoined(bytesOf(piece), byteRanks);
  };
}

/** The same vocabulary by bytes: it takes longer to make, and many texts need none of it. */
function ranksOfBytes(vocabulary: Vocabulary): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  for (const [rank, token] of vocabulary.entries()) {
    if (token === undefined) continue;
    ranks.set(typeof token === 'string' ? bytesOf(token) : String.fromCharCode(...token), rank);
  }
  return ranks;
}

function countJoined(bytes: string, ranks: ReadonlyMap<string, number>): number {
  // Part `at` goes from starts[at] to starts[at + 1], and has the rank joined[at] together with the part after it.
  const starts = new Uint16Array(bytes.length + 1);
  const joined = new Int32Array(bytes.length + 1).fill(NO_TOKEN);
  const join = (at: number): number => ranks.get(bytes.slice(starts[at], starts[at + 2])) ?? NO_TOKEN;
  for (let at = 0; at <= bytes.length; at += 1) starts[at] = at;
  let parts = bytes.length;
  for (let at = 0; at + 1 < parts; at += 1) joined[at] = join(at);
  for (;;) {
    let [lowest, best] = [NO_TOKEN, -1];
    for (let at = 0; at + 1 < parts; at += 1) {
      const rank = joined[at] ?? NO_TOKEN;
      if (rank < lowest) [lowest, best] = [rank, at];
    }
    if (best === -1) return parts;
    starts.copyWithin(best + 1, best + 2, parts + 1);
    joined.copyWithin(best + 1, best + 2, parts);
    parts -= 1;
    joined[best] = best + 1 < parts ? join(best) : NO_TOKEN;
    if (best > 0) joined[best - 1] = join(best - 1);
  }
}

/** One character for each byte of the text in UTF-8. */
function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0x7f) return false;
  return true;
}
