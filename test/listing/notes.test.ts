import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitPrepared } from '../../src/listing/fit-listing.ts';
import { LINES, XML } from '../../src/listing/layout.ts';
import { prepareEntry } from '../../src/listing/listing-entry.ts';
import { BYTES, CHARACTERS } from '../../src/listing/measure.ts';
import { visibleText } from '../../src/listing/visible-text.ts';
import { hostile, listsOf } from './lists.ts';

const noted = fc.tuple(listsOf(8), hostile).map(([entries, words]) => {
  const note = ` (${visibleText(words).slice(0, 20).toWellFormed()})`;
  return entries.map((entry) => {
    const prepared = prepareEntry(entry);
    const { full, plain, least } = prepared;
    return {
      rank: entry.rank,
      prepared:
        full === ''
          ? prepared
          : { ...prepared, full: full + note, plain: plain + note, least: least + note, note },
    };
  });
});

describe('a note at the end of a text', () => {
  it('keeps a listing in its budget, whatever stands in it', () => {
    fc.assert(
      fc.property(
        noted,
        fc.integer({ min: 0, max: 900 }),
        fc.constantFrom(0, 1, 19, 40, 250),
        fc.constantFrom(LINES, XML),
        fc.constantFrom(CHARACTERS, BYTES),
        (entries, budget, entryCharacters, layout, measure) => {
          const { text, used } = fitPrepared(entries, { budget, entryCharacters, layout, measure });
          expect(used).toBe(measure.size(text));
          expect(used).toBeLessThanOrEqual(budget);
          if (layout === XML) expect(text.replace(/<\/?[a-z_]+>/g, '')).not.toMatch(/[<>]/);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  const line = (limit: number, layout = LINES, note = ' (needs <a>)') => {
    const { full, ...rest } = prepareEntry({
      name: 'a',
      description: 'word '.repeat(20),
      whenToUse: '',
      shortDescription: '',
      bundled: false,
    });
    const text = full + note;
    const prepared = { ...rest, full: text, plain: text, least: text, note };
    return fitPrepared([{ prepared, rank: 0 }], { budget: 10_000, entryCharacters: limit, layout }).text;
  };

  it('stays where the text before it is cut, and goes where there is room for nothing else', () => {
    expect(line(200)).toMatch(/^- a: (?:word ){19}word \(needs <a>\)$/);
    expect(line(30)).toBe('- a: word word word wo… (needs <a>)');
    expect(line(13)).toBe('- a: … (needs <a>)');
    expect(line(12)).toBe('- a: word word w…');
  });

  it('is written as the layout writes text', () => {
    expect(line(40, XML)).toContain('<description>word word word word w… (needs &lt;a&gt;)</description>');
  });
});
