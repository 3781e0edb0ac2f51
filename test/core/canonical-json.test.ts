import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byCodeUnit, canonicalJson } from '../../src/core/canonical-json.ts';

describe('canonical JSON', () => {
  it.each([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ é: 1, z: 2, Z: 3 }, '{"Z":3,"z":2,"é":1}'],
    [{ gone: undefined, kept: 0 }, '{"kept":0}'],
    ['line\nbreak "quoted"', '"line\\nbreak \\"quoted\\""'],
  ])('%o', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).toReversed());
        expect(canonicalJson(JSON.parse(JSON.stringify(reversed)))).toBe(
          canonicalJson(JSON.parse(JSON.stringify(value))),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it('says the same as JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value));
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps a key named __proto__', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}');
  });

  it('refuses numbers that JSON does not have', () => {
    expect(() => canonicalJson(Number.NaN)).toThrow(RangeError);
  });

  it('orders by code unit, whatever the locale', () => {
    expect(['b', 'a', 'B', 'ä', ''].toSorted(byCodeUnit)).toEqual(['', 'B', 'a', 'b', 'ä']);
  });
});
