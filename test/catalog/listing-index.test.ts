import { describe, expect, it } from 'vitest';
import { buildListingIndex, ListingIndex } from '../../src/catalog/listing-index.ts';
import { entry } from './entries.ts';

describe('the listing index', () => {
  it('holds what can be listed first, in name order, and counts all', () => {
    const index = buildListingIndex([entry('c'), entry('a', { listing: 'manual' }), entry('b')]);
    const { total, entries } = ListingIndex.parse(JSON.parse(index.text));
    expect(total).toBe(3);
    expect(entries.map(({ name }) => name)).toEqual(['b', 'c', 'a']);
  });

  it('stops at 4,096 entries and 1 MiB, by shortening texts', () => {
    const description = 'é'.repeat(1_000);
    const index = buildListingIndex(
      Array.from({ length: 6_000 }, (_, n) => entry(`skill-${n}`, { description })),
    );
    const { total, entries } = ListingIndex.parse(JSON.parse(index.text));
    expect([total, entries.length]).toEqual([6_000, 4_096]);
    expect(new TextEncoder().encode(index.text).length).toBeLessThanOrEqual(1024 * 1024);
    expect(description.startsWith(entries[0]?.description ?? '?')).toBe(true);
  });
});
