import { describe, expect, it } from 'vitest';
import { compilePattern, loadPatterns } from '../../src/policy/linear-pattern.ts';

const A = 'a'.repeat(255);

/** What a backtracking engine takes minutes or longer for, and what is slow for others. */
const HOSTILE = [
  '(a+)+$',
  '(a*)*b',
  '(a|aa)+$',
  '(a|a?)+$',
  '(.*a){12}$',
  '(?:a?){6}a{6}b',
  '(?:(?:(?:a*)*)*)*b',
  '(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)b',
  '.*.*.*.*.*.*.*.*.*.*=.*',
  `${'('.repeat(40)}a${')*'.repeat(40)}`,
  'x*'.repeat(60),
  '[^b]*[^c]*[^d]*[^e]*[^f]*$',
  '(?:\\w+\\s?)+!$',
  '^(?:a|b|ab)*(?:a|b|ba)*c$',
];

describe('a pattern that somebody else wrote', () => {
  it.each(HOSTILE)('takes less than 5 ms, whatever it says: %s', async (source) => {
    const readPattern = await loadPatterns();
    // The best of a few: other processes take their time too.
    const took = Array.from({ length: 9 }, (_, round) => {
      // Another spelling each time, so that none is remembered.
      const fresh = `${source}|~${round}`;
      const start = performance.now();
      const pattern = readPattern(fresh);
      expect(pattern.ok).toBe(true);
      for (const text of [A, `${A}!`, 'ab'.repeat(128)]) if (pattern.ok) pattern.value(text);
      return performance.now() - start;
    });
    expect(Math.min(...took)).toBeLessThan(5);
  });

  it.each([
    ['(', /parenthesis|\(/],
    ['[a-', /missing/],
    ['*a', /argument/],
    ['a(?=b)', /\(\?=/],
    ['(a)\\1', /\\1/],
    ['a'.repeat(129), /more than 128 characters/],
    ['(?:(?:a{10}){10}){10}', /repetitions/],
    ['a{999}', /repetitions/],
    ['(?:.{100}){10}', /repetitions/],
    ['a{2,}'.repeat(10), /repetitions/],
  ])('is refused with a reason where it cannot be one: %s', async (source, why) => {
    const pattern = (await loadPatterns())(source);
    expect(pattern.ok ? 'read' : pattern.error).toMatch(why);
  });

  it.each([
    ['^mcp__.*__write', 'mcp__files__write_file', true],
    ['Edit.*', 'NotebookEdit', true],
    ['^Edit$', 'NotebookEdit', false],
    ['(?i)bash', 'Bash', true],
    ['bash', 'Bash', false],
    ['\\p{Lu}\\w+', 'Größe', true],
    ['(?<tool>Read|Write)', 'Write', true],
    ['\\/', 'a/b', true],
    ['a{2,3}', 'aa', true],
  ])('is looked for anywhere: %s in %s', async (source, text, found) => {
    const pattern = (await loadPatterns())(source);
    expect(pattern.ok && pattern.value(text)).toBe(found);
  });
});

describe('a pattern that is used once', () => {
  const limits = { characters: 20, repeated: 100 };

  it('has bounds of its own', async () => {
    const matches = await compilePattern('(?i)^a+b$', limits);
    expect(matches.ok && ['aab', 'AAB', 'ab ', 'b'].map(matches.value)).toEqual([true, true, false, false]);
    expect(await compilePattern('a'.repeat(21), limits)).toEqual({
      ok: false,
      error: 'it has more than 20 characters',
    });
    expect(await compilePattern('(a{20}){20}', limits)).toEqual({
      ok: false,
      error: 'its repetitions make it too long',
    });
    expect((await compilePattern('(?=a)', limits)).ok).toBe(false);
  });
});
