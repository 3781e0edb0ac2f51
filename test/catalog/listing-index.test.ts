import { describe, expect, it } from 'vitest';
import { buildListingIndex } from '../../src/catalog/listing-index.ts';
import { byCodeUnit } from '../../src/core/canonical-json.ts';
import { entry } from './entries.ts';
import { rowsOf } from './index-rows.ts';

describe('the listing index', () => {
  it('holds all skills in name order, or those that can be listed first', () => {
    const listed = Array.from({ length: 4_095 }, (_, n) => entry(`s-${n}`));
    const hidden = ['a', 'z'].map((name) => entry(name, { listing: 'manual' }));
    const names = rowsOf(buildListingIndex([...hidden, ...listed])).map(({ name }) => name);
    expect(names).toEqual(['a', ...listed.map(({ name }) => name).toSorted(byCodeUnit)]);
    expect(rowsOf(buildListingIndex([entry('c'), entry('a'), entry('b')])).map(({ name }) => name)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it.each([1_000, 4_000])('writes one page and the root when one of %i skills changes', (count) => {
    const built = (description: string) =>
      buildListingIndex(
        Array.from({ length: count }, (_, n) => entry(`s-${n}`, n === 77 ? { description } : {})),
      );
    const known = new Set(built('One.').pages.map(({ digest }) => digest));
    expect(built('Other.').pages.filter(({ digest }) => !known.has(digest))).toHaveLength(1);
  });

  it('stops at 4,096 entries and 1 MiB, by shortening texts', () => {
    const description = 'é'.repeat(1_000);
    const index = buildListingIndex(
      Array.from({ length: 6_000 }, (_, n) => entry(`skill-${n}`, { description })),
    );
    const entries = rowsOf(index);
    expect(entries).toHaveLength(4_096);
    expect(description.startsWith(entries[0]?.description ?? '?')).toBe(true);
  });

  it('has what a skill needs, and nothing of it where a skill needs nothing', () => {
    const requires = [{ kind: 'bins' as const, oneOf: ['gh', 'hub'] }];
    const entries = rowsOf(buildListingIndex([entry('a', { requires }), entry('b')]));
    expect(entries.map(({ requires: needed }) => needed)).toEqual([requires, undefined]);
    expect(buildListingIndex([entry('b')]).pages[0]?.text).not.toContain('requires');
  });

  it('stays within its size whatever skills need', () => {
    const requires = Array.from({ length: 32 }, (_, at) => ({
      kind: 'mcpServers' as const,
      oneOf: [`${at}`.padEnd(32, 'é')],
    }));
    const [first] = rowsOf(
      buildListingIndex(Array.from({ length: 4_096 }, (_, n) => entry(`s-${n}`, { requires }))),
    );
    expect(requires.slice(0, first?.requires?.length ?? 0)).toEqual(first?.requires ?? []);
  });

  describe('with counts', () => {
    const tokens = { body: 9, listing: [5, 9, 15, 3, 4] };
    const many = (count: number, characters = 1_000) =>
      Array.from({ length: count }, (_, n) =>
        entry(`skill-${n}`, { description: 'x'.repeat(characters), tokens }),
      );
    it('has those of the rows, where it has their texts', () => {
      expect(rowsOf(buildListingIndex(many(1)))[0]?.tokens).toEqual(tokens.listing);
      expect(rowsOf(buildListingIndex([entry('a')]))[0]?.tokens).toBeNull();
    });

    it('has those of shortened texts only where somebody counts them', () => {
      expect(rowsOf(buildListingIndex(many(2_000))).every((shown) => shown.tokens === null)).toBe(true);
      const shown = rowsOf(buildListingIndex(many(2_000), ({ description }) => [description.length]));
      expect(shown.map((each) => each.tokens)).toEqual(shown.map(() => [256, 3, 4]));
    });

    it.each([
      ['shortens texts that are longer than what is printed', 260, 256],
      ['leaves other texts alone, and has counts as far as there is room', 130, 130],
    ])('%s', (_what, characters, kept) => {
      const rowCharacters =
        buildListingIndex(many(1_000, 0)).pages.reduce((sum, { text }) => sum + text.length, 0) / 1_000 -
        '"tokens":[5,9,15,3,4],'.length;
      const entries = many(Math.floor((1024 * 1024 - 18_000) / (rowCharacters + characters)), characters);
      const bare = rowsOf(buildListingIndex(entries.map((each) => ({ ...each, tokens: null }))));
      expect(bare[0]?.description).toHaveLength(characters);
      const shown = rowsOf(buildListingIndex(entries, () => [5, 9, 15]));
      expect(shown.every(({ description }) => description.length === kept)).toBe(true);
      expect([shown[0]?.tokens, shown.at(-1)?.tokens]).toEqual([tokens.listing, null]);
    });
  });
});
