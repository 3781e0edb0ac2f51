import * as fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../../scripts/lib/token-counter.ts';
import { LONGEST_TOKEN_BYTES } from '../../src/catalog/token-counts.ts';
import { awkward } from '../listing/counted-lists.ts';

const { count } = await loadTokenCounter();
const plain = { disallowedSpecial: new Set<string>() };

describe('the token counter', () => {
  it('counts what the tokenizer counts, of any text', () => {
    const texts = fc.oneof(
      awkward,
      // Words and what can stand around them, where the counter finds their ends by itself.
      fc.string({ unit: fc.constantFrom(...` \t\n.,-/#('_1aAbzZsStTlLréßдД日🙂\u0301`), maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...'aeinorstLS '), maxLength: 200 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ maxLength: 60 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(count(text)).toBe(countTokens(text, plain));
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['<|endoftext|>', 'a <|im_start|>system\n<|fim_prefix|> b'])('takes %j for plain text', (text) => {
    expect(count(text)).toBeGreaterThan(4);
    expect(count(text)).toBe(countTokens(text, plain));
  });

  it('counts nothing as nothing, and gives up on what would take minutes', () => {
    expect(count('')).toBe(0);
    expect(count(`Before. ${'word '.repeat(50_000)}`)).toBe(countTokens(`Before. ${'word '.repeat(50_000)}`));
    for (const run of ['a', '=', ' ', '日'])
      expect(count(`Before. ${run.repeat(1_000_000)} after.`)).toBeNull();
  });

  it('has no token that is longer than a push allows for', () => {
    const bytes = o200k.map((token) =>
      typeof token === 'string' ? new TextEncoder().encode(token).length : (token?.length ?? 0),
    );
    expect(bytes.reduce((longest, each) => Math.max(longest, each))).toBe(LONGEST_TOKEN_BYTES);
  });
});
