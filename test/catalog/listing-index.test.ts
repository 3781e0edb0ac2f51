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

  describe('with counts', () => {
    const tokens = { body: 9, listing: [5, 9, 15, 3, 4] };
    const many = (count: number, characters = 1_000) =>
      Array.from({ length: count }, (_, n) =>
        entry(`skill-${n}`, { description: 'x'.repeat(characters), tokens }),
      );
    const parse = ({ text }: { text: string }) => {
      expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(1024 * 1024);
      return ListingIndex.parse(JSON.parse(text)).entries;
    };

    it('has those of the rows, where it has their texts', () => {
      expect(parse(buildListingIndex(many(1)))[0]?.tokens).toEqual(tokens.listing);
      expect(parse(buildListingIndex([entry('a')]))[0]?.tokens).toBeNull();
    });

    it('has those of shortened texts only where somebody counts them', () => {
      expect(parse(buildListingIndex(many(2_000))).every((shown) => shown.tokens === null)).toBe(true);
      const shown = parse(buildListingIndex(many(2_000), ({ description }) => [description.length]));
      expect(shown.map((each) => each.tokens)).toEqual(shown.map(() => [256, 3, 4]));
    });

    it.each([
      ['shortens texts that are longer than what is printed', 260, 256],
      ['leaves other texts alone, and has counts as far as there is room', 130, 130],
    ])('%s', (_what, characters, kept) => {
      const rowCharacters =
        buildListingIndex(many(1_000, 0)).text.length / 1_000 - '"tokens":[5,9,15,3,4],'.length;
      const entries = many(Math.floor((1024 * 1024 - 10_000) / (rowCharacters + characters)), characters);
      const bare = parse(buildListingIndex(entries.map((each) => ({ ...each, tokens: null }))));
      expect(bare[0]?.description).toHaveLength(characters);
      const shown = parse(buildListingIndex(entries, () => [5, 9, 15]));
      expect(shown.every(({ description }) => description.length === kept)).toBe(true);
      expect([shown[0]?.tokens, shown.at(-1)?.tokens]).toEqual([tokens.listing, null]);
    });
  });
});
