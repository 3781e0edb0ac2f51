import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listingBudget } from '../../src/listing/budget.ts';

const GOLDEN: readonly (readonly [number | null, number])[] = [
  [32_000, 1_280],
  [100_000, 4_000],
  [128_000, 5_120],
  [200_000, 8_000],
  [1_000_000, 40_000],
  [1_234, 49],
  [1, 0],
  [null, 8_000],
  [0, 8_000],
  [-1, 8_000],
  [Number.NaN, 8_000],
  [Infinity, 8_000],
];

describe('listingBudget', () => {
  it.each(GOLDEN)('of a window of %s tokens is %s characters', (contextWindowTokens, characters) => {
    expect(listingBudget({ contextWindowTokens, fraction: 0.01, fallbackCharacters: 8_000 })).toBe(
      characters,
    );
  });

  it('counts in the characters a token that it is told', () => {
    const window = {
      contextWindowTokens: 1_000,
      fraction: 0.1,
      fallbackCharacters: 8_000,
      charactersPerToken: 3,
    };
    expect(listingBudget(window)).toBe(300);
  });

  it('is exact for settings in percent, where binary fractions are not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.integer({ min: 1, max: 100 }),
        (tokens, percent) => {
          const window = { contextWindowTokens: tokens, fraction: percent / 100, fallbackCharacters: 1 };
          expect(listingBudget(window)).toBe(Number((BigInt(tokens) * 4n * BigInt(percent)) / 100n));
        },
      ),
      { numRuns: 3000 },
    );
  });
});
