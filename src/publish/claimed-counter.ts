import { LONGEST_TOKEN_BYTES, TOKENIZER, type TokenCounter } from '../catalog/token-counts.ts';

/**
 * Counts by a publisher's word, in the order in which compiling asks for them: of the body, the texts, the name. There is
 * no tokenizer where a push is checked, so only what is certain can be: a token has at least one byte, and no more than
 * the longest has. What cannot be true is not counted, and then the row is not the one that was pushed.
 */
export function claimedCounter(claimed: readonly number[]): TokenCounter {
  const counts = claimed.values();
  return {
    name: TOKENIZER,
    count: (text) => {
      const { value: tokens = -1 } = counts.next();
      const bytes = new TextEncoder().encode(text).length;
      return tokens >= bytes / LONGEST_TOKEN_BYTES && tokens <= bytes ? tokens : null;
    },
  };
}
