import { LISTING_LIMITS } from '../core/limits.ts';

/**
 * Characters that a listing may take: a share of the context window, at 4 characters a token. A window that is unknown,
 * or that no model can have (zero, negative, not a number), gives the fallback.
 */
export function listingBudget(window: {
  readonly contextWindowTokens: number | null;
  /** Of the window, more than 0 and at most 1. */
  readonly fraction: number;
  readonly fallbackCharacters: number;
  readonly charactersPerToken?: number;
}): number {
  const perToken = window.charactersPerToken ?? LISTING_LIMITS.charactersPerToken;
  const share = (window.contextWindowTokens ?? 0) * perToken * window.fraction;
  if (!Number.isFinite(share) || share <= 0) return window.fallbackCharacters;
  // 100 x 0.29 is 28.999999999999996 in binary: a hair is added before the floor, so that round settings stay round.
  return Math.floor(share * (1 + 4 * Number.EPSILON));
}
