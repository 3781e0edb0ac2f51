import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BoundedCache } from '../../src/core/bounded-cache.ts';

describe('BoundedCache', () => {
  it('forgets what was used longest ago', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3]);
  });

  it('takes something new even where all was used since', () => {
    const cache = new BoundedCache<string, number>(2);
    for (const key of ['a', 'b']) cache.set(key, 1);
    for (const key of ['b', 'a']) cache.get(key);
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 1, 3]);
  });

  it('does not keep what is larger than itself, and drops what it replaces', () => {
    const cache = new BoundedCache<string, string>(10);
    cache.set('a', 'small', 5);
    cache.set('a', 'huge', 11);
    expect(cache.get('a')).toBeUndefined();
  });

  it('never holds more than its capacity', () => {
    const steps = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 1, max: 12 })),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(steps, (sets) => {
        const cache = new BoundedCache<string, number>(10);
        for (const [key, size] of sets) cache.set(key, size, size);
        const held = ['a', 'b', 'c', 'd', 'e'].reduce((sum, key) => sum + (cache.get(key) ?? 0), 0);
        expect(held).toBeLessThanOrEqual(10);
      }),
      { numRuns: 1_000 },
    );
  });
});
