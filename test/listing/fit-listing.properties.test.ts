import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitListing, type ListingEntry, type ListingState } from '../../src/listing/fit-listing.ts';
import { visibleName, visibleText } from '../../src/listing/visible-text.ts';
import { listsOf } from './lists.ts';

const STEP: Readonly<Record<ListingState, number>> = { omitted: 0, nameOnly: 1, shortened: 2, full: 3 };

const headOf = ({ name, mark = '' }: ListingEntry): string =>
  `- ${visibleName(name)}${visibleText(mark) === '' ? '' : ` [${visibleText(mark)}]`}`;
const lists = listsOf(12);
const onlyOthers = lists.map((entries) => entries.map((each) => Object.assign({}, each, { bundled: false })));
const budgets = fc.integer({ min: 0, max: 900 });
const caps = fc.constantFrom(0, 1, 19, 21, 40, 250);
const favours = fc.integer({ min: 0, max: 4 });

const monotone = (
  entries: readonly ListingEntry[],
  smaller: number,
  more: number,
  entryCharacters: number,
  favoured: number,
): void => {
  const before = fitListing(entries, { budget: smaller, entryCharacters, favoured }).states;
  const after = fitListing(entries, { budget: smaller + more, entryCharacters, favoured }).states;
  for (const [index, state] of before.entries()) {
    expect(STEP[after[index] ?? 'omitted']).toBeGreaterThanOrEqual(STEP[state]);
  }
};

describe('any listing', () => {
  it('keeps to its budget, counts what it printed and does so again', () => {
    fc.assert(
      fc.property(lists, budgets, caps, favours, (entries, budget, entryCharacters, favoured) => {
        const listing = fitListing(entries, { budget, entryCharacters, favoured });
        expect(listing.used).toBe(listing.text.length);
        expect(listing.used).toBeLessThanOrEqual(budget);
        expect(listing.states).toHaveLength(entries.length);
        for (const state of ['full', 'shortened', 'nameOnly', 'omitted'] as const) {
          expect(listing.counts[state]).toBe(listing.states.filter((each) => each === state).length);
        }
        expect(fitListing(entries, { budget, entryCharacters, favoured })).toEqual(listing);
      }),
      { numRuns: 10_000 },
    );
  });

  it('has exactly one line for each entry that it lists, which begins with its name, and no tag', () => {
    fc.assert(
      fc.property(lists, budgets, caps, (entries, budget, entryCharacters) => {
        const { text, states, counts } = fitListing(entries, { budget, entryCharacters });
        const lines = text === '' ? [] : text.split('\n');
        const listed = entries.filter((_, index) => states[index] !== 'omitted');
        const tail = counts.omitted > 0 && lines.length > listed.length ? lines.pop() : undefined;
        if (tail !== undefined)
          expect(tail).toMatch(/^(?:One more skill is|\d+ more skills are) not listed: /);
        expect(lines).toHaveLength(listed.length);
        for (const [index, entry] of listed.entries()) {
          const head = headOf(entry);
          expect([head, `${head}: `]).toContain(lines[index]?.slice(0, head.length + 2));
        }
        expect(text).not.toMatch(/[<>]|[^\S \n]|[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
      }),
      { numRuns: 10_000 },
    );
  });

  it('never puts an entry lower for having more room', () => {
    fc.assert(fc.property(lists, budgets, fc.integer({ min: 1, max: 60 }), caps, favours, monotone), {
      numRuns: 10_000,
    });
    fc.assert(fc.property(onlyOthers, budgets, fc.integer({ min: 1, max: 300 }), caps, favours, monotone), {
      numRuns: 10_000,
    });
  });

  it('is monotone at every budget from nothing to everything', () => {
    fc.assert(
      fc.property(listsOf(50), favours, (entries, favoured) => {
        let before: readonly ListingState[] = entries.map(() => 'omitted');
        for (let budget = 0; budget < 1_200; budget += 1) {
          const { states } = fitListing(entries, { budget, entryCharacters: 60, favoured });
          for (const [index, state] of before.entries()) {
            expect(STEP[states[index] ?? 'omitted'] >= STEP[state]).toBe(true);
          }
          before = states;
        }
      }),
      { numRuns: 40 },
    );
  });

  it('takes no name from a better rank before it takes one from a lower', () => {
    fc.assert(
      fc.property(onlyOthers, budgets, favours, (entries, budget, favoured) => {
        const { states } = fitListing(entries, { budget, entryCharacters: 250, favoured });
        const byRank = entries
          .map((entry, index) => ({ rank: entry.rank, listed: states[index] !== 'omitted' }))
          .toSorted((left, right) => left.rank - right.rank)
          .map(({ listed }) => listed);
        expect(byRank.lastIndexOf(true)).toBe(byRank.filter(Boolean).length - 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('prints what is full in full', () => {
    fc.assert(
      fc.property(lists, budgets, (entries, budget) => {
        const { text, states } = fitListing(entries, { budget, entryCharacters: 10_000 });
        const lines = text.split('\n');
        let line = 0;
        for (const [index, entry] of entries.entries()) {
          if (states[index] === 'omitted') continue;
          if (states[index] === 'full') {
            const parts = [visibleText(entry.description), visibleText(entry.whenToUse)].filter(
              (part) => part !== '',
            );
            const full = parts.length === 0 ? '' : `: ${parts.join(' - ')}`;
            expect(lines[line]).toBe(`${headOf(entry)}${full}`);
          }
          line += 1;
        }
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    { count: 1_000, milliseconds: 20 },
    { count: 4_096, milliseconds: 75 },
  ])('takes $count entries in less than $milliseconds ms', ({ count, milliseconds }) => {
    const entries = Array.from({ length: count }, (_, index) => ({
      name: `skill-${index}`,
      description: `Does number ${index}. ${'More of it. '.repeat(index % 25)}End.`,
      whenToUse: index % 2 === 0 ? 'Use it when you are asked for it.' : '',
      shortDescription: index % 3 === 0 ? 'In short.' : '',
      bundled: index % 40 === 0,
      rank: (index * 2_741) % count,
    }));
    for (const budget of [8_000, 40_000, count * 150]) {
      const run = () => fitListing(entries, { budget, entryCharacters: 250 });
      for (let round = 0; round < 5; round += 1) run();
      const times = Array.from({ length: 5 }, () => {
        const started = performance.now();
        run();
        return performance.now() - started;
      });
      expect(Math.min(...times)).toBeLessThan(milliseconds);
    }
  });
});
