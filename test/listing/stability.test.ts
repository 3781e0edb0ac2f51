import { describe, expect, it } from 'vitest';
import { fitListing, type ListingEntry } from '../../src/listing/fit-listing.ts';

const COUNTS = [60, 100, 150, 250, 500];

function skills(count: number): ListingEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `skill-${String(index * 2).padStart(4, '0')}`,
    description: 'word '.repeat(10 + ((index * 7) % 40)),
    whenToUse: index % 3 === 0 ? 'When it is asked for.' : '',
    shortDescription: '',
    bundled: false,
    rank: (index * 37) % count,
  }));
}

/** Lines of the one that are not in the other, the last line about omitted ones aside. */
function changed(before: readonly ListingEntry[], after: readonly ListingEntry[], favoured = 0): number {
  const lines = (entries: readonly ListingEntry[]) =>
    fitListing(entries, { budget: 8_000, entryCharacters: 250, favoured })
      .text.split('\n')
      .filter((line) => line.startsWith('- '));
  const known = new Set(lines(before));
  return lines(after).filter((line) => !known.has(line)).length;
}

describe('lines that change', () => {
  it.each(COUNTS)('one more skill among %d: itself and a handful', (count) => {
    const before = skills(count);
    for (const [at, entry] of before.entries()) {
      const fresh = { ...entry, name: `${entry.name}-new`, rank: count };
      expect(changed(before, before.toSpliced(at + 1, 0, fresh))).toBeLessThanOrEqual(12);
    }
  });

  it.each(COUNTS)('one rank among %d from last to first: a handful', (count) => {
    const before = skills(count);
    const after = before.map((entry) => ({ ...entry, rank: (entry.rank + 1) % count }));
    expect(changed(before, after)).toBeLessThanOrEqual(6);
  });

  it.each(COUNTS)(
    'one rank among %d from last to first, where the first ten are favoured: a handful',
    (count) => {
      const before = skills(count);
      const after = before.map((entry) => ({ ...entry, rank: (entry.rank + 1) % count }));
      // Two texts come and go, and a level of the others goes with their difference.
      expect(changed(before, after, 10)).toBeLessThanOrEqual(20);
    },
  );
});
