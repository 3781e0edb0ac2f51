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

  it('has what a skill needs, and nothing of it where a skill needs nothing', () => {
    const requires = [{ kind: 'bins' as const, oneOf: ['gh', 'hub'] }];
    const { text } = buildListingIndex([entry('a', { requires }), entry('b')]);
    const { entries } = ListingIndex.parse(JSON.parse(text));
    expect(entries.map(({ requires: needed }) => needed)).toEqual([requires, undefined]);
    expect(buildListingIndex([entry('b')]).text).not.toContain('requires');
  });

  it('stays within its size whatever skills need', () => {
    const requires = Array.from({ length: 32 }, (_, at) => ({
      kind: 'mcpServers' as const,
      oneOf: [`${at}`.padEnd(32, 'é')],
    }));
    const { text } = buildListingIndex(
      Array.from({ length: 4_096 }, (_, n) => entry(`s-${n}`, { requires })),
    );
    expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(1024 * 1024);
    const [first] = ListingIndex.parse(JSON.parse(text)).entries;
    expect(requires.slice(0, first?.requires?.length ?? 0)).toEqual(first?.requires ?? []);
  });
});
