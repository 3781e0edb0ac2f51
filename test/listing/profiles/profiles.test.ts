import { describe, expect, it } from 'vitest';
import { prepareEntry } from '../../../src/listing/listing-entry.ts';
import { fitClaudeCode } from '../../../src/listing/profiles/claude-code.ts';
import { fitCodex } from '../../../src/listing/profiles/codex.ts';
import { displayWidth } from '../../../src/listing/profiles/display-width.ts';
import { fitSeed } from '../../../src/listing/profiles/seed.ts';
import type { RankedEntry } from '../../../src/listing/share-room.ts';

/** Skills with names of nine characters. */
function skills(count: number, description: number | string, bundled = false, first = 0): RankedEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    prepared: prepareEntry({
      name: `skill-${String(first + index).padStart(3, '0')}`,
      description: typeof description === 'string' ? description : 'd'.repeat(description),
      whenToUse: '',
      shortDescription: '',
      bundled,
    }),
    rank: first + index,
  }));
}

describe('the profile seed', () => {
  const fit = (entries: RankedEntry[], contextWindow: number | null = 200_000) =>
    fitSeed({ entries, contextWindow });

  it.each([
    ['10 of 50', skills(10, 50), 639],
    ['40 of 300', skills(40, 300), 7_999],
    ['100 of 200', skills(100, 200), 7_999],
    ['200 of 200', skills(200, 200), 7_999],
    ['300 of 200, names only', skills(300, 200), 3_599],
    ['5 bundled of 300 and 100 of 200', [...skills(5, 300, true), ...skills(100, 200, false, 5)], 7_919],
    ['700 names, beyond its budget', skills(700, 200), 8_399],
    ['40 bundled of 300, beyond its budget', skills(40, 300, true), 10_559],
    ['40 bundled and one more', [...skills(40, 300, true), ...skills(1, 300, false, 40)], 10_571],
  ])('%s: %i columns', (_, entries, used) => {
    expect(fit(entries).used).toBe(used);
  });

  it('prints lines of 79 and 39 columns for 100 and 200 skills', () => {
    expect(fit(skills(100, 200)).text.split('\n')[0]).toHaveLength(79);
    expect(fit(skills(200, 200)).text.split('\n')[0]).toHaveLength(39);
  });

  it.each([
    [250, false],
    [251, true],
  ])('caps %i characters at 250: cut %s', (characters, cut) => {
    const { text } = fit(skills(1, characters));
    expect([text.length, text.endsWith('…')]).toEqual([263, cut]);
  });

  it.each([
    [32_000, 1_280],
    [100_000, 4_000],
    [128_000, 5_120],
    [200_000, 8_000],
    [1_000_000, 40_000],
    [1_234, 49],
    [null, 8_000],
  ])('has for %s tokens %i columns', (window, budget) => {
    expect(fit([], window).budget).toBe(budget);
  });

  it('measures columns, so that pictures take more characters than its budget has', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    expect(displayWidth('a日e\u0301😀')).toBe(6);
    const { used, text } = fit(skills(60, '👍🏽'.repeat(60)));
    expect(used).toBeLessThanOrEqual(8_000);
    expect(text.length).toBeGreaterThan(8_000);
    expect(displayWidth(family)).toBe(2);
  });
});

describe('the profile claude-code', () => {
  const fit = (entries: RankedEntry[], contextWindow: number | null = 200_000) =>
    fitClaudeCode({ entries, contextWindow });

  it('drops the descriptions of the worst ranks whole, and keeps all names', () => {
    const { states, used, text } = fit(skills(100, 200));
    // A line with its text takes 214 of 8,001 with its end, without it 12.
    expect(states.filter((state) => state === 'full')).toHaveLength(33);
    expect(states.slice(0, 33)).not.toContain('nameOnly');
    expect(used).toBe(text.length);
    expect(used).toBeLessThanOrEqual(8_000);
    expect(fit(skills(700, 200)).used).toBe(8_399);
  });

  it.each([
    [1_536, false],
    [1_537, true],
  ])('caps %i characters at 1,536: cut %s', (characters, cut) => {
    const { text } = fit(skills(1, characters));
    expect([text.length, text.endsWith('…')]).toEqual([1_549, cut]);
  });
});

describe('the profile codex', () => {
  it('has 2 % of the window in tokens, and 8,000 characters where there is none', () => {
    expect(fitCodex({ entries: [], contextWindow: 272_000 })).toMatchObject({
      budget: 5_440,
      unit: 'tokens',
    });
    expect(fitCodex({ entries: [], contextWindow: null })).toMatchObject({
      budget: 8_000,
      unit: 'characters',
    });
  });

  it('hands out characters in turns, without an ellipsis', () => {
    const entries = [...skills(2, 400), ...skills(1, 5, false, 2)];
    const { text, used, budget, states } = fitCodex({ entries, contextWindow: 5_000 });
    expect(budget).toBe(100);
    expect(used).toBeLessThanOrEqual(100);
    expect(states).toEqual(['shortened', 'shortened', 'full']);
    const lengths = text.split('\n').map((line) => /: (d*)/.exec(line)?.[1]?.length ?? 0);
    expect(lengths[2]).toBe(5);
    expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeLessThanOrEqual(4);
    expect(text).not.toContain('…');
  });

  it('leaves out what comes last when not even the names fit', () => {
    const { states, used } = fitCodex({ entries: skills(100, 50), contextWindow: 20_000 });
    // `- skill-000: (file: skill://skill-000/SKILL.md)` and its end are 48 bytes.
    expect(states.filter((state) => state === 'nameOnly')).toHaveLength(33);
    expect(states.lastIndexOf('nameOnly')).toBe(32);
    expect(used).toBe(33 * 12);
  });

  it('prints all in full where all fits', () => {
    const { states, text } = fitCodex({ entries: skills(3, 50), contextWindow: 200_000 });
    expect(new Set(states)).toEqual(new Set(['full']));
    expect(text.split('\n')[0]).toBe(`- skill-000: ${'d'.repeat(50)} (file: skill://skill-000/SKILL.md)`);
  });
});
