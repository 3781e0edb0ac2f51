import * as fc from 'fast-check';
import picomatch from 'picomatch/posix';
import { describe, expect, it } from 'vitest';
import { compileWildcard, wildcardsMeet } from '../../src/policy/wildcard.ts';

const PATHS: readonly [pattern: string, path: string, matches: boolean][] = [
  ['src/*', 'src/a', true],
  ['src/*', 'src/a/b', false],
  ['src/**', 'src', true],
  ['src/**', 'src/a/b', true],
  ['src/**', 'srcs/a', false],
  ['src/**/x', 'src/x', true],
  ['src/**/x', 'src/a/b/x', true],
  ['src/**/x', 'src/ax', false],
  ['**/.env', '.env', true],
  ['**/.env', 'a/b/.env', true],
  ['**/.env', 'a/b.env', false],
  ['**/.env', '/work/.env', true],
  ['**/*.ts', 'a.ts', true],
  ['**/*.ts', 'a/b.ts', true],
  ['**', '/etc/passwd', true],
  ['*', '/etc/passwd', false],
  ['a**b', 'a/b', false],
  ['a**b', 'axxb', true],
  ['a.b', 'axb', false],
];

describe('a wildcard in a path', () => {
  it.each(PATHS)('%s on %s: %s', (pattern, path, matches) => {
    expect(compileWildcard(pattern, 'path')(path)).toBe(matches);
  });

  it('agrees with picomatch on segments of letters, one star at a time, and whole-segment **', () => {
    const letter = fc.constantFrom('a', 'b', 'c');
    const segment = fc.oneof(
      { weight: 1, arbitrary: fc.constant('**') },
      {
        weight: 3,
        arbitrary: fc
          .array(fc.constantFrom('a', 'b', 'c', '*'), { minLength: 1, maxLength: 4 })
          .map((parts) => parts.join('').replaceAll(/\*+/g, '*')),
      },
    );
    const path = fc
      .array(fc.array(letter, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
      .map((segments) => segments.map((letters) => letters.join('')).join('/'));
    const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
    // picomatch lets `a/**` match `a`, but not `*/**`; we let both. Dots are left out: it has shortcuts for them.
    const inconsistent = /\*\/\*\*$/;
    let matched = 0;
    fc.assert(
      fc.property(pattern, path, (pattern, path) => {
        fc.pre(!inconsistent.test(pattern));
        const theirs = picomatch(pattern, { dot: true, nobrace: true, noext: true, nonegate: true })(path);
        matched += theirs ? 1 : 0;
        expect(compileWildcard(pattern, 'path')(path)).toBe(theirs);
      }),
      { numRuns: 12_000, maxSkipsPerRun: 1_000 },
    );
    expect(matched).toBeGreaterThan(500);
  });
});

describe('a wildcard in text', () => {
  it('agrees with a plain recursive definition', () => {
    const matches = (pattern: string, text: string): boolean => {
      if (pattern === '') return text === '';
      if (pattern.startsWith('*')) {
        return matches(pattern.slice(1), text) || (text !== '' && matches(pattern, text.slice(1)));
      }
      return text !== '' && text[0] === pattern[0] && matches(pattern.slice(1), text.slice(1));
    };
    fc.assert(
      fc.property(textOf(['a', 'b', '/', '*']), textOf(['a', 'b', '/']), (pattern, text) => {
        expect(compileWildcard(pattern, 'text')(text)).toBe(matches(pattern, text));
      }),
      { numRuns: 5_000 },
    );
  });

  it('crosses the borders between the words of its state set', () => {
    const letters = Array.from({ length: 200 }, (_, index) => String.fromCharCode(97 + (index % 26))).join(
      '',
    );
    for (const cut of [1, 30, 31, 32, 33, 63, 64, 65, 199]) {
      const matches = compileWildcard(`${letters.slice(0, cut)}*${letters.slice(cut)}`, 'text');
      expect(matches(letters)).toBe(true);
      expect(matches(`${letters.slice(0, cut)}/${letters.slice(cut)}`)).toBe(true);
      expect(matches(letters.slice(0, -1))).toBe(false);
    }
  });
});

describe('time', () => {
  const traps: readonly [string, string][] = [
    ['*a'.repeat(127) + '*b', 'a'.repeat(10_000)],
    ['**/a/'.repeat(50) + 'x', 'a/'.repeat(5_000)],
    ['*'.repeat(255) + 'b', 'a'.repeat(10_000)],
    ['a'.repeat(255) + '*', 'a'.repeat(10_000)],
  ];

  it.each(traps)('is bounded: %#', (pattern, text) => {
    for (const mode of ['text', 'path'] as const) {
      const matches = compileWildcard(pattern, mode);
      const times = Array.from({ length: 9 }, () => {
        const start = performance.now();
        matches(text);
        return performance.now() - start;
      }).toSorted((left, right) => left - right);
      // The middle one: a busy machine may stop any single run.
      expect(times[4]).toBeLessThan(5);
    }
  });
});

describe('two wildcards meet', () => {
  it('whenever some text matches both', () => {
    const source = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 5 }).map((parts) => parts.join(''));
    // A common text needs no letter that neither pattern names, so these are all that have to be tried.
    const texts = words(['a', 'b'], 8);
    fc.assert(
      fc.property(source, source, (left, right) => {
        const [one, other] = [compileWildcard(left, 'text'), compileWildcard(right, 'text')];
        const literals = (left + right).replaceAll('*', '').length;
        fc.pre(literals <= 8);
        expect(wildcardsMeet(left, right)).toBe(texts.some((text) => one(text) && other(text)));
      }),
      { numRuns: 1_000 },
    );
  });
});

function words(letters: readonly string[], longest: number): string[] {
  const all = [''];
  for (let start = 0; start < all.length; start += 1) {
    const word = all[start] ?? '';
    if (word.length < longest) all.push(...letters.map((letter) => word + letter));
  }
  return all;
}

function textOf(characters: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...characters), { maxLength: 7 }).map((parts) => parts.join(''));
}
