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

  describe('with counts', () => {
    const tokens = { body: 9, full: [5, 9, 15], head: [3, 4] as [number, number] };
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) =>
        entry(`skill-${n}`, { description: 'x'.repeat(1_000), tokens }),
      );
    const parse = ({ text }: { text: string }) => ListingIndex.parse(JSON.parse(text)).entries;

    it('has those of the rows, where it has their texts', () => {
      const { body: _, ...listing } = tokens;
      expect(parse(buildListingIndex(many(1)))[0]?.tokens).toEqual(listing);
      expect(parse(buildListingIndex([entry('a')]))[0]?.tokens).toBeNull();
    });

    it('has those of shortened texts only where somebody counts them', () => {
      const dropped = parse(buildListingIndex(many(4_096)));
      expect(dropped.every((shown) => shown.description.length < 1_000 && shown.tokens === null)).toBe(true);
      const index = buildListingIndex(many(4_096), ({ description }) => ({ full: [description.length] }));
      expect(new TextEncoder().encode(index.text).length).toBeLessThanOrEqual(1024 * 1024);
      for (const { description, tokens: counts } of parse(index))
        expect(counts).toEqual({ full: [description.length], head: [3, 4] });
    });
  });
});
