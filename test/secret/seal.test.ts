import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Seal } from '../../src/secret/seal.ts';

const FIRST = 'a'.repeat(32);
const SECOND = 'b'.repeat(40);
const CONTEXT = { organisation: 'acme', name: 'KEY', origins: null };

function sealOf(text: string): Seal {
  const seal = Seal.of(text);
  if (seal === null) throw new Error('no seal');
  return seal;
}

describe('a seal', () => {
  it('gives back what was sealed, and seals the same text differently each time', async () => {
    const seal = sealOf(FIRST);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (value) => {
        const text = value.toWellFormed();
        const [one, two] = await Promise.all([seal.close(text, CONTEXT), seal.close(text, CONTEXT)]);
        expect(await seal.open(one, CONTEXT)).toBe(text);
        expect(one).not.toEqual(two);
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    { ...CONTEXT, organisation: 'other' },
    { ...CONTEXT, name: 'KEY2' },
    { ...CONTEXT, origins: ['https://evil.example'] },
  ])('does not open for %j', async (context) => {
    const bytes = await sealOf(FIRST).close('secret', CONTEXT);
    expect(await sealOf(FIRST).open(bytes, context)).toBeNull();
  });

  it('does not open with one bit changed, or cut', async () => {
    const bytes = await sealOf(FIRST).close('secret', CONTEXT);
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = bytes.map((byte, at) => (at === index ? byte ^ 1 : byte));
      expect(await sealOf(FIRST).open(changed, CONTEXT)).toBeNull();
      expect(await sealOf(FIRST).open(bytes.slice(0, index), CONTEXT)).toBeNull();
    }
  });

  it('opens with any of the keys, and seals with the first', async () => {
    const old = await sealOf(FIRST).close('secret', CONTEXT);
    const both = sealOf(`${SECOND}, ${FIRST}`);
    expect(await both.open(old, CONTEXT)).toBe('secret');
    expect(await sealOf(FIRST).open(await both.close('new', CONTEXT), CONTEXT)).toBeNull();
    expect(await sealOf(SECOND).open(await both.close('new', CONTEXT), CONTEXT)).toBe('new');
  });

  it.each([null, '', 'short', `${FIRST},`, `${FIRST},short`])('is none with the key %j', (text) => {
    expect(Seal.of(text)).toBeNull();
  });
});
