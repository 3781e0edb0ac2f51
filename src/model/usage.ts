import { z } from 'zod';

const Tokens = z.int().nonnegative();

/** What one call used, as its provider counts it. The kinds of tokens do not overlap. */
export const ModelUsage = z.strictObject({
  /** As the provider knows it. */
  model: z.string(),
  /** Neither read from the provider's cache nor written to it. */
  inputTokens: Tokens,
  cacheReadTokens: Tokens,
  cacheWriteTokens: Tokens,
  /** Thoughts included. */
  outputTokens: Tokens,
  /** US dollars; null where the organisation set no prices for the model. */
  cost: z.number().nonnegative().nullable(),
});
export type ModelUsage = z.infer<typeof ModelUsage>;

/** US dollars for a million tokens. */
export const ModelPrices = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  /** Where they are not set, tokens of the cache cost what other input does. */
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
});
export type ModelPrices = z.infer<typeof ModelPrices>;

/** Two calls of one model together. */
export function addUsage(one: ModelUsage | null, other: ModelUsage | null): ModelUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    model: other.model,
    inputTokens: one.inputTokens + other.inputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  };
}

/** US dollars, or null without prices. */
export function costOf(usage: Omit<ModelUsage, 'cost'>, prices: ModelPrices | null): number | null {
  if (prices === null) return null;
  const { input, output, cacheRead = input, cacheWrite = input } = prices;
  const millionths =
    usage.inputTokens * input +
    usage.cacheReadTokens * cacheRead +
    usage.cacheWriteTokens * cacheWrite +
    usage.outputTokens * output;
  return millionths / 1_000_000;
}
