import {
  type ListingTokens,
  LONGEST_TOKEN_BYTES,
  TOKENIZER,
  type TokenCounter,
} from '../catalog/token-counts.ts';

/**
 * Counts by a publisher's word, in the order in which compiling asks for them: the body, the texts, the name. There is no
 * tokenizer where a push is checked, so only what is certain can be: a token has at least one byte and no more than the
 * longest. What cannot be true is not counted, and the row then differs from the one that was pushed.
 */
export function claimedCounter(claim: ListingTokens & { readonly body?: number }): TokenCounter {
  const { body, full, plain = [], least = [], head } = claim;
  const counts = [...(body === undefined ? [] : [body]), ...full, ...plain, ...least, ...head];
  return {
    name: TOKENIZER,
    count: (text) => {
      const tokens = counts.shift() ?? -1;
      const bytes = new TextEncoder().encode(text).length;
      return tokens >= bytes / LONGEST_TOKEN_BYTES && tokens <= bytes ? tokens : null;
    },
  };
}
