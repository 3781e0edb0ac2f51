import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COUNTED_LINES, COUNTED_REMINDER } from '../../src/listing/counted-layout.ts';
import { type CountedEntry, fitCounted } from '../../src/listing/fit-counted.ts';
import type { ListingState } from '../../src/listing/fit-listing.ts';
import { claimedLists, countedLists, tokenize } from './counted-lists.ts';

const STEP: Readonly<Record<ListingState, number>> = { omitted: 0, nameOnly: 1, shortened: 2, full: 3 };
const budgets = fc.integer({ min: 0, max: 400 });
const caps = fc.constantFrom(1, 19, 20, 21, 60, 125, 250, 10_000);
const layouts = fc.constantFrom(COUNTED_LINES, COUNTED_REMINDER);
const unseen = fc.constantFrom(0, 0, 1, 7, 4_096);
const fit = (
  entries: readonly CountedEntry[],
  budget: number,
  entryCharacters = 250,
  more: { layout?: typeof COUNTED_LINES; unseen?: number; favoured?: number } = {},
) => fitCounted(entries, { budget, entryCharacters, unseen: 0, layout: COUNTED_LINES, ...more });

describe('a counted listing', () => {
  it('has exactly as many tokens as it says, and never more than its budget', () => {
    fc.assert(
      fc.property(countedLists, budgets, caps, layouts, unseen, (entries, budget, cap, layout, others) => {
        const { text, used, counts, states, estimatedEntries } = fit(entries, budget, cap, {
          layout,
          unseen: others,
        });
        expect(tokenize(text)).toBe(used);
        expect(used).toBeLessThanOrEqual(budget);
        expect(estimatedEntries).toBe(0);
        expect(Object.values(counts).reduce((sum, each) => sum + each, 0)).toBe(entries.length);
        expect(states).toHaveLength(entries.length);
        const lines = text.split('\n').filter((line) => line.startsWith('- '));
        expect(lines).toHaveLength(entries.length - counts.omitted);
      }),
      { numRuns: 1_500 },
    );
  }, 20_000);

  it('never puts an entry lower for having more room, whatever its counts', () => {
    fc.assert(
      fc.property(
        claimedLists,
        budgets,
        fc.integer({ min: 1, max: 60 }),
        caps,
        layouts,
        fc.integer({ min: 0, max: 4 }),
        (entries, budget, more, cap, layout, favoured) => {
          const before = fit(entries, budget, cap, { layout, favoured });
          const after = fit(entries, budget + more, cap, { layout, favoured });
          expect(before.used).toBeLessThanOrEqual(budget);
          for (const [at, state] of before.states.entries()) {
            expect(STEP[after.states[at] ?? 'omitted'] >= STEP[state]).toBe(true);
          }
        },
      ),
      { numRuns: 10_000 },
    );
  }, 20_000);

  it('is monotone at every budget from nothing to everything', () => {
    fc.assert(
      fc.property(claimedLists, (entries) => {
        let before: readonly ListingState[] = entries.map(() => 'omitted');
        for (let budget = 0; budget < 700; budget += 1) {
          const { states } = fit(entries, budget);
          expect(states.every((state, at) => STEP[state] >= STEP[before[at] ?? 'omitted'])).toBe(true);
          before = states;
        }
        expect(before.every((state) => state === 'full')).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('takes no name from a better rank before it takes one from a lower', () => {
    fc.assert(
      fc.property(claimedLists, budgets, (all, budget) => {
        const entries = all.map((entry) => ({ ...entry, prepared: { ...entry.prepared, bundled: false } }));
        const { states } = fit(entries, budget);
        const listed = entries
          .map(({ rank }, at) => ({ rank, listed: states[at] !== 'omitted' }))
          .toSorted((left, right) => left.rank - right.rank)
          .map((each) => each.listed);
        expect(listed.lastIndexOf(true)).toBe(listed.filter(Boolean).length - 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps all text of bundled entries that take no more than half', () => {
    fc.assert(
      fc.property(claimedLists, budgets, (entries, budget) => {
        const bundled = entries.filter(({ prepared }) => prepared.bundled);
        const { used } = fit(bundled, 100_000);
        const { states } = fit(entries, budget);
        if (used > Math.floor(budget / 2)) return;
        for (const [at, { prepared }] of entries.entries())
          if (prepared.bundled) expect(states[at]).toBe('full');
      }),
      { numRuns: 2_000 },
    );
  });
});
