import { describe, expect, it } from 'vitest';
import { fitListing, fitPrepared, type ListingEntry } from '../../src/listing/fit-listing.ts';
import { prepareEntry } from '../../src/listing/listing-entry.ts';

const CAP = 250;

function entry(name: string, rank: number, fields: Partial<ListingEntry> = {}): ListingEntry {
  return { name, description: '', whenToUse: '', shortDescription: '', bundled: false, rank, ...fields };
}

/** Bundled skills of the worst ranks. */
function bundled(count: number, characters: number): ListingEntry[] {
  return Array.from({ length: count }, (_, index) =>
    entry(`bundled-${String(index).padStart(3, '0')}`, 1_000 + index, {
      description: 'd'.repeat(characters),
      bundled: true,
    }),
  );
}

/** Skills `skill-000`, `skill-001`, ... with descriptions of one length; the first has the best rank. */
function skills(count: number, characters: number, fields: Partial<ListingEntry> = {}): ListingEntry[] {
  return Array.from({ length: count }, (_, index) =>
    entry(`skill-${String(index).padStart(3, '0')}`, index, {
      description: 'd'.repeat(characters),
      ...fields,
    }),
  );
}

const fit = (entries: readonly ListingEntry[], budget: number, entryCharacters = CAP) =>
  fitListing(entries, { budget, entryCharacters });

describe('the rungs of the ladder', () => {
  const three = [
    entry('c', 2, { description: 'Makes charts of numbers.', whenToUse: 'When there are numbers.' }),
    entry('a', 0, {
      description: 'Audits a whole repository for secrets.',
      shortDescription: 'Finds secrets.',
    }),
    entry('b', 1, { description: 'Builds.', whenToUse: 'When something is to be built.' }),
  ];
  const full = [
    '- c: Makes charts of numbers. - When there are numbers.',
    '- a: Audits a whole repository for secrets.',
    '- b: Builds. - When something is to be built.',
  ].join('\n');
  const RUNGS: readonly (readonly [string, number, string])[] = [
    ['everything', full.length, full],
    [
      'the lowest rank loses its hints',
      full.length - 1,
      '- c: Makes charts of numbers.\n- a: Audits a whole repository for secrets.\n- b: Builds. - When something is to be built.',
    ],
    [
      'all lose their hints',
      86,
      '- c: Makes charts of numbers.\n- a: Audits a whole repository for secrets.\n- b: Builds.',
    ],
    ['a short description stands in', 85, '- c: Makes charts of numbers.\n- a: Finds secrets.\n- b: Builds.'],
    [
      'long descriptions are cut, short ones are not',
      58,
      '- c: Makes charts of num…\n- a: Finds secrets.\n- b: Builds.',
    ],
    ['the lowest rank loses its description', 55, '- c\n- a: Finds secrets.\n- b: Builds.'],
    ['the next one, too', 31, '- c\n- a: Finds secrets.\n- b'],
    ['names', 26, '- c\n- a\n- b'],
    ['names as long as all fit', 11, '- c\n- a\n- b'],
    ['without the lowest rank', 10, '- a\n- b'],
    ['the best', 3, '- a'],
    ['nothing', 2, ''],
  ];

  it.each(RUNGS)('%s', (_, budget, text) => {
    expect(fit(three, budget).text).toBe(text);
  });

  it('says what became of each entry, in the order of the entries', () => {
    expect(fit(three, full.length - 1).states).toEqual(['shortened', 'full', 'full']);
    expect(fit(three, 84).states).toEqual(['shortened', 'shortened', 'shortened']);
    expect(fit(three, 31).states).toEqual(['nameOnly', 'shortened', 'nameOnly']);
    expect(fit(three, 10)).toMatchObject({
      states: ['omitted', 'nameOnly', 'nameOnly'],
      counts: { full: 0, shortened: 0, nameOnly: 2, omitted: 1 },
      used: 7,
      budget: 10,
    });
  });
});

describe('fitListing', () => {
  it.each([
    { count: 10, characters: 50, used: 10 * 63 + 9, state: 'full' },
    { count: 40, characters: 300, used: 8_000, state: 'shortened' },
    { count: 100, characters: 200, used: 8_000, state: 'shortened' },
    { count: 200, characters: 200, used: 8_000, state: 'shortened' },
  ])(
    '$count descriptions of $characters characters at 8,000: all $state',
    ({ count, characters, used, state }) => {
      const listing = fit(skills(count, characters), 8_000);
      expect(listing.used).toBe(used);
      expect(new Set(listing.states)).toEqual(new Set([state]));
    },
  );

  it('keeps 20 characters for as many as it can before any is a mere name', () => {
    const { counts, used } = fit(skills(300, 200), 8_000);
    // 300 names take 3,600 of 8,001 with their ends of line; each text takes 22 more.
    expect(counts).toEqual({ full: 0, shortened: 200, nameOnly: 100, omitted: 0 });
    expect(used).toBe(3_600 + 200 * 22 - 1);
  });

  it('holds 8,000 characters with 700 skills, and says how many are missing', () => {
    const { text, used, counts } = fit(skills(700, 100), 8_000);
    expect(used).toBeLessThanOrEqual(8_000);
    expect(used).toBeGreaterThan(7_950);
    expect(counts.nameOnly + counts.omitted).toBe(700);
    expect(text.split('\n').at(-1)).toBe(
      `${counts.omitted} more skills are not listed: search the catalog for them.`,
    );
  });

  it('leaves the last line out where there is no room for it', () => {
    expect(fit(skills(700, 100), 50).text).toBe('- skill-000\n- skill-001\n- skill-002\n- skill-003');
  });

  it('counts what it was never given among the missing, where the line about them fits', () => {
    const fit = (budget: number) =>
      fitPrepared([{ prepared: prepareEntry(entry('a', 0)), rank: 0 }], {
        budget,
        entryCharacters: CAP,
        unseen: 7,
      });
    expect(fit(1_000).text).toBe('- a\n7 more skills are not listed: search the catalog for them.');
    expect(fit(1_000).counts).toEqual({ full: 1, shortened: 0, nameOnly: 0, omitted: 0 });
    expect(fit(20).text).toBe('- a');
  });

  it('speaks of one skill in the singular', () => {
    const entries = [...skills(9, 0), entry('x'.repeat(100), 9)];
    expect(fit(entries, 180).text.split('\n').at(-1)).toBe(
      'One more skill is not listed: search the catalog for it.',
    );
  });

  it('gives the room that short descriptions leave to long ones', () => {
    const entries = [...skills(10, 30), entry('long', 10, { description: 'x'.repeat(240) })];
    const { text, used } = fit(entries, 600);
    expect(text).toContain(`- skill-000: ${'d'.repeat(30)}\n`);
    expect(used).toBe(600);
  });

  it.each([
    [250, 250],
    [251, 250],
  ])('caps an entry: %d characters are %d', (characters, printed) => {
    const { text, states } = fit(skills(1, characters), 8_000);
    expect(text.length).toBe('- skill-000: '.length + printed);
    expect(text.endsWith('…')).toBe(characters > CAP);
    expect(states).toEqual(['full']);
  });

  it('does not call a short description full where the cap makes it as long as the description', () => {
    const texts = { description: 'd'.repeat(100), shortDescription: 's'.repeat(50) };
    const { text, states } = fit([entry('a', 0, texts), entry('b', 1, texts)], 20, 10);
    expect(text).toBe('- a: ddddddddd…\n- b');
    expect(states).toEqual(['full', 'nameOnly']);
  });

  it('leaves no half of a surrogate pair where it cuts', () => {
    for (let budget = 0; budget < 700; budget += 1) {
      const entries = [
        entry('a', 0, { description: '😀'.repeat(100) }),
        entry('b', 1, { description: 'x😀'.repeat(200) }),
      ];
      expect(fit(entries, budget).text.isWellFormed()).toBe(true);
    }
  });

  it('counts UTF-16 units, not columns', () => {
    expect(fit(skills(60, 0, { description: '👨‍👩‍👧'.repeat(30) }), 8_000).used).toBeLessThanOrEqual(8_000);
  });

  it('calls an entry without text full, for it has no more to say', () => {
    expect(fit(skills(5, 0), 30)).toMatchObject({
      states: ['full', 'full', 'omitted', 'omitted', 'omitted'],
    });
  });

  it('prints trigger hints alone where there is no description', () => {
    expect(fit([entry('a', 0, { whenToUse: 'Always.' })], 100).text).toBe('- a: Always.');
  });

  it.each([0, -1, Number.NaN])('has no text for a budget of %d', (budget) => {
    expect(fit(skills(3, 10), budget)).toEqual({
      text: '',
      used: 0,
      budget: 0,
      counts: { full: 0, shortened: 0, nameOnly: 0, omitted: 3 },
      states: ['omitted', 'omitted', 'omitted'],
    });
  });

  it('has nothing to say of no entries', () => {
    expect(fit([], 8_000)).toMatchObject({ text: '', used: 0, states: [] });
  });

  it('fits prepared entries to the same text', () => {
    const entries = skills(100, 200);
    const prepared = entries.map((each) => ({ prepared: prepareEntry(each), rank: each.rank }));
    const options = { budget: 5_000, entryCharacters: CAP };
    expect(fitPrepared(prepared, options)).toEqual(fitListing(entries, options));
  });
});

describe('bundled entries', () => {
  it('keep their text up to half of the budget, whatever the others lose and whatever their rank', () => {
    // Ten lines of 399 characters and nine ends of line between them; half of the budget is 4,000.
    const entries = [...bundled(10, 399 - '- bundled-000: '.length), ...skills(700, 200)];
    const { states, used } = fit(entries, 8_000, 1_000);
    expect(states.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'full'));
    expect(states.slice(10)).toContain('omitted');
    expect(used).toBeLessThanOrEqual(8_000);
  });

  it('keep more than half while the others have text to give', () => {
    const { states } = fit([...bundled(20, 240), ...skills(100, 200)], 8_000);
    expect(new Set(states.slice(0, 20))).toEqual(new Set(['full']));
    expect(new Set(states.slice(20))).toEqual(new Set(['shortened', 'nameOnly']));
  });

  it('give way above half before the others lose their names', () => {
    const { states, used } = fit([...bundled(40, 240), ...skills(200, 200)], 8_000);
    expect(new Set(states.slice(0, 40))).toEqual(new Set(['shortened']));
    expect(new Set(states.slice(40))).toEqual(new Set(['nameOnly']));
    expect(used).toBeLessThanOrEqual(8_000);
  });

  it('are no exception to the budget when there are only bundled ones', () => {
    const { used, counts } = fit(bundled(40, 300), 8_000);
    expect(used).toBeLessThanOrEqual(8_000);
    expect(used).toBeGreaterThan(7_900);
    expect(counts.shortened).toBe(40);
  });
});
