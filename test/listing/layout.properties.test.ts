import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitListing, type ListingState } from '../../src/listing/fit-listing.ts';
import { LINES, REMINDER, XML } from '../../src/listing/layout.ts';
import { BYTES, CHARACTERS } from '../../src/listing/measure.ts';
import { visibleName } from '../../src/listing/visible-text.ts';
import { listsOf } from './lists.ts';

const STEP: Readonly<Record<ListingState, number>> = { omitted: 0, nameOnly: 1, shortened: 2, full: 3 };
const layouts = fc.constantFrom(LINES, REMINDER, XML);
const measures = fc.constantFrom(CHARACTERS, BYTES);
const lists = listsOf(12);
const budgets = fc.integer({ min: 0, max: 1_200 });
const caps = fc.constantFrom(1, 21, 40, 250);
const goneNames = fc.oneof(
  fc.constant([]),
  fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 8 }),
);

describe('a listing in any layout', () => {
  it('keeps to its budget, its wrapper counted, and adds up', () => {
    fc.assert(
      fc.property(
        lists,
        budgets,
        caps,
        layouts,
        measures,
        goneNames,
        (entries, budget, entryCharacters, layout, measure, gone) => {
          const options = { budget, entryCharacters, layout, measure, gone };
          const { text, used, states, counts } = fitListing(entries, options);
          expect(used).toBe(measure === BYTES ? new TextEncoder().encode(text).length : text.length);
          expect(text.isWellFormed()).toBe(true);
          expect(used).toBeLessThanOrEqual(budget);
          expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(entries.length);
          expect(states.every((state) => state === 'omitted') || text !== '').toBe(true);
          expect(fitListing(entries, options).text).toBe(text);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('never puts an entry lower for having more room', () => {
    fc.assert(
      fc.property(
        lists,
        budgets,
        fc.integer({ min: 1, max: 200 }),
        caps,
        layouts,
        measures,
        (entries, budget, more, entryCharacters, layout, measure) => {
          const before = fitListing(entries, { budget, entryCharacters, layout, measure }).states;
          const after = fitListing(entries, {
            budget: budget + more,
            entryCharacters,
            layout,
            measure,
          }).states;
          for (const [at, state] of before.entries()) {
            expect(STEP[after[at] ?? 'omitted']).toBeGreaterThanOrEqual(STEP[state]);
          }
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('is XML in which every entry stays in its element', () => {
    const skill =
      /^<skill><name>((?:[^<>&]|&(?:amp|lt|gt);)+)<\/name>(?:<origin>(?:[^<>&]|&(?:amp|lt|gt);)+<\/origin>)?(?:<description>((?:[^<>&]|&(?:amp|lt|gt);)+)<\/description>)?<\/skill>$/;
    fc.assert(
      fc.property(lists, budgets, caps, (entries, budget, entryCharacters) => {
        const { text, states } = fitListing(entries, { budget, entryCharacters, layout: XML });
        if (text === '') return;
        const lines = text.split('\n');
        expect([lines.shift(), lines.pop()]).toEqual(['<available_skills>', '</available_skills>']);
        if (/^<more>[^<>&]+<\/more>$/.test(lines.at(-1) ?? '')) lines.pop();
        const listed = entries.filter((_, at) => states[at] !== 'omitted');
        expect(lines.map((line) => unescape(skill.exec(line)?.[1] ?? ''))).toEqual(
          listed.map(({ name }) => visibleName(name)),
        );
      }),
      { numRuns: 10_000 },
    );
  });

  it('is a reminder that opens and closes once', () => {
    fc.assert(
      fc.property(lists, budgets, (entries, budget) => {
        const { text } = fitListing(entries, { budget, entryCharacters: 250, layout: REMINDER });
        if (text !== '') expect(text).toMatch(/^<system-reminder>\n[^<>]+\n<\/system-reminder>$/);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a layout', () => {
  const entry = { name: 'r&d', description: 'Tests "A & B".', whenToUse: '', shortDescription: '' };
  const entries = [{ ...entry, bundled: false, rank: 0 }];
  const fit = (layout: typeof XML, budget: number) =>
    fitListing(entries, { budget, entryCharacters: 250, layout }).text;

  it('has no block around nothing', () => {
    for (const layout of [LINES, REMINDER, XML]) {
      expect(fitListing([], { budget: 8_000, entryCharacters: 250, layout }).text).toBe('');
      expect(fit(layout, layout.block.join('').length + 3)).toBe('');
    }
  });

  it('escapes what XML needs escaped, and cuts no entity', () => {
    const whole =
      '<available_skills>\n<skill><name>r&amp;d</name><description>Tests "A &amp; B".</description></skill>\n</available_skills>';
    expect(fit(XML, 200)).toBe(whole);
    const long = { name: 'x', description: '& '.repeat(100), whenToUse: '', shortDescription: '' };
    for (let entryCharacters = 1; entryCharacters < 60; entryCharacters += 1) {
      const { text } = fitListing([{ ...long, bundled: false, rank: 0 }], {
        budget: 8_000,
        entryCharacters,
        layout: XML,
      });
      expect(text).toMatch(/<description>(?:&amp; ?)*…<\/description>/);
    }
  });
});

function unescape(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
