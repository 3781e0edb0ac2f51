import { describe, expect, it } from 'vitest';
import { CUT_POINTS } from '../../src/catalog/token-counts.ts';
import { COUNTED_LINES, COUNTED_REMINDER, tailTokens } from '../../src/listing/counted-layout.ts';
import { fitCounted } from '../../src/listing/fit-counted.ts';
import { tailLine } from '../../src/listing/fit-listing.ts';
import { LINES, REMINDER } from '../../src/listing/layout.ts';
import { prepareEntry } from '../../src/listing/listing-entry.ts';
import { countedEntry, tokenize } from './counted-lists.ts';

const skill = (name: string, description: string, rank = 0) => ({
  name,
  description,
  whenToUse: '',
  shortDescription: '',
  bundled: false,
  rank,
});
const long =
  'Reads the logs of a failed build, finds the first error that is not a consequence of another, and says which change brought it in; works for most build systems, and asks before it runs anything that could take more than a minute or write to a disk. Not for tests that fail.';
const options = { budget: 10_000, entryCharacters: 250, unseen: 0, layout: COUNTED_LINES };

describe('what is counted beforehand', () => {
  it.each([1, 2, 9, 10, 99, 100, 999, 1_000, 4_096, 99_999, 100_000, 1_000_000])(
    'is the line about %d omitted skills',
    (omitted) => {
      expect(tailTokens(omitted)).toBe(tokenize(`${tailLine(omitted, LINES)}\n`));
    },
  );

  it('is what stands around the lines, which is what stands around them in the other units', () => {
    for (const { block, blockTokens } of [COUNTED_LINES, COUNTED_REMINDER]) {
      expect(tokenize(block[0]) + tokenize(block[1])).toBe(blockTokens);
    }
    const [open, close] = COUNTED_REMINDER.block;
    expect([open, `\n${close}`]).toEqual(REMINDER.block);
  });
});

describe('a counted listing', () => {
  it('cuts a text where its cuts were counted', () => {
    const entry = countedEntry(skill('find-error', long));
    const lengths = new Set<number>();
    for (let budget = 0; budget < 80; budget += 1) {
      const { text, used } = fitCounted([entry], { ...options, budget });
      expect(used).toBe(tokenize(text));
      if (text.includes(': ')) lengths.add(text.trimEnd().length - '- find-error: '.length);
    }
    expect([...lengths]).toEqual(CUT_POINTS.filter((point) => point <= 250));
  });

  it('cuts at the next cut point below a cap that is none', () => {
    const { text, states } = fitCounted([countedEntry(skill('find-error', long))], {
      ...options,
      entryCharacters: 200,
    });
    expect([text.trimEnd().length - '- find-error: '.length, states]).toEqual([125, ['full']]);
  });

  it('estimates what nobody counted, and says for how many lines', () => {
    const counted = countedEntry(skill('counted', long));
    const announced = {
      prepared: prepareEntry(skill('announced', long, 1)),
      rank: 1,
      tokens: null,
    };
    const { text, used, estimatedEntries } = fitCounted([counted, announced], options);
    expect(estimatedEntries).toBe(1);
    expect(used).toBeGreaterThanOrEqual(tokenize(text));
    expect(used).toBeLessThan(tokenize(text) * 1.4);
  });

  it('estimates an entry whose counts are of another text', () => {
    const { prepared, rank } = countedEntry(skill('changed', long));
    const { tokens } = countedEntry(skill('changed', 'Short.'));
    expect(fitCounted([{ prepared, rank, tokens }], options).estimatedEntries).toBe(1);
  });

  it('prints the longer text where the shorter one has more tokens', () => {
    const text = 'internationalization!';
    const entry = countedEntry(skill('x', text));
    const [cut = 0, whole = 0] = entry.tokens ?? [];
    expect(cut).toBeGreaterThan(whole);
    for (let budget = 0; budget < 20; budget += 1) {
      expect(fitCounted([entry], { ...options, budget }).text).not.toContain('…');
    }
  });

  it.each([
    { count: 4_096, counted: true, milliseconds: 75 },
    { count: 4_096, counted: false, milliseconds: 75 },
  ])('takes $count entries in less than $milliseconds ms (counted: $counted)', (each) => {
    const entries = Array.from({ length: each.count }, (_, at) => {
      const rank = (at * 2_741) % each.count;
      const entry = countedEntry(skill(`skill-${at}`, long.slice(at % 200), rank));
      return each.counted ? entry : { ...entry, tokens: null };
    });
    // The first time, estimates are made; they are kept.
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      fitCounted(entries, { ...options, budget: 10_000 });
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(each.milliseconds);
  });
});
