import { TOKENIZER, type TokenCounter } from '../../src/catalog/token-counts.ts';
import { bytePairCounter } from './byte-pairs.ts';

/** Finding the tokens of a piece takes the square of its length: 20 ms for this one, minutes for 1 MiB. */
const LONGEST_PIECE = 4_096;
/** Pieces that are remembered: most of a text are words that were there before. Longer ones would hold on to their text. */
const REMEMBERED = 100_000;
const REMEMBERED_CHARACTERS = 12;

const SPACE = 0x20;
const APOSTROPHE = 0x27;
const LAST_ASCII = 0x7f;

let loaded: Promise<TokenCounter> | null = null;

/** Loads the vocabulary once, which takes a tenth of a second: for who is about to count something. */
export function loadTokenCounter(): Promise<TokenCounter> {
  return (loaded ??= load());
}

async function load(): Promise<TokenCounter> {
  const [{ default: vocabulary }, { O200K_TOKEN_SPLIT_REGEX: split }] = await Promise.all([
    import('gpt-tokenizer/bpeRanks/o200k_base'),
    import('gpt-tokenizer/encodingParams/constants'),
  ]);
  const pieces = new RegExp(split.source, split.flags);
  const countBytePairs = bytePairCounter(vocabulary);
  const known = new Map<string, number>();
  const countPiece = (piece: string): number => {
    const tokens = countBytePairs(piece);
    if (piece.length <= REMEMBERED_CHARACTERS) {
      if (known.size >= REMEMBERED) known.clear();
      known.set(piece, tokens);
    }
    return tokens;
  };
  return {
    name: TOKENIZER,
    // As the tokenizer does it, but without a list of all matches, and looking words up once.
    count: (text) => {
      let [tokens, start] = [0, 0];
      while (start < text.length) {
        let end = plainWordEnd(text, start);
        if (end === -1) {
          pieces.lastIndex = start;
          pieces.test(text);
          end = pieces.lastIndex;
        }
        if (end - start > LONGEST_PIECE) return null;
        const piece = text.slice(start, end);
        tokens += known.get(piece) ?? countPiece(piece);
        start = end;
      }
      return tokens;
    },
  };
}

/**
 * Where the piece ends that begins here, if it is what most pieces are: a word of ASCII letters, small but for the first
 * ones, perhaps with a space before it. -1: only the tokenizer's expression knows.
 */
function plainWordEnd(text: string, start: number): number {
  let at = start;
  let code = text.charCodeAt(at);
  if (code === SPACE) code = text.charCodeAt((at += 1));
  while (code >= 0x41 && code <= 0x5a) code = text.charCodeAt((at += 1));
  const small = at;
  while (code >= 0x61 && code <= 0x7a) code = text.charCodeAt((at += 1));
  // More letters may follow in other alphabets, and "'s" belongs to its word.
  return at === small || code === APOSTROPHE || code > LAST_ASCII ? -1 : at;
}
