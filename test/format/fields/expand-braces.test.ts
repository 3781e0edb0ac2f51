import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPatterns } from '../../../src/format/fields/braces.ts';
import { expandBraces, expandToFirstClosing } from '../../../src/format/fields/expand-braces.ts';

const BUDGET = { patterns: 1_000, characters: 64 * 1024 };

describe('expandBraces', () => {
  it.each<[string, string[]]>([
    ['', ['']],
    ['a', ['a']],
    ['a/{b,c}', ['a/b', 'a/c']],
    ['{a,b}{c,d}', ['ac', 'ad', 'bc', 'bd']],
    ['a{b,c{d,e}f}g', ['abg', 'acdfg', 'acefg']],
    ['{a,{b,{c,d}}}', ['a', 'b', 'c', 'd']],
    ['{a, b}', ['a', 'b']],
    ['{a}', ['a']],
    ['{a,}b', ['ab', 'b']],
    ['{}', ['{}']],
    ['{{}}', ['{}']],
    ['a{b', ['a{b']],
    ['a}b', ['a}b']],
    ['a{b{c,d}', ['a{bc', 'a{bd']],
    ['{a,b}}', ['a}', 'b}']],
  ])('%o', (pattern, patterns) => {
    expect(expandBraces(pattern, BUDGET)).toEqual(patterns);
  });

  it('gives up instead of expanding in part', () => {
    expect(expandBraces('{a,b}'.repeat(10), BUDGET)).toBeNull();
    expect(expandBraces('{a,b}'.repeat(9), BUDGET)).toHaveLength(512);
    expect(expandBraces(`{a,b}${'x'.repeat(40_000)}{c,d}`, BUDGET)).toBeNull();
    expect(expandBraces(`${'{'.repeat(17)}a,b${'}'.repeat(17)}`, BUDGET)).toBeNull();
    expect(expandToFirstClosing('{a,b}'.repeat(10), BUDGET)).toBeNull();
  });

  it('never throws, and stays within its budget', () => {
    const pattern = fc.string({ unit: fc.constantFrom('{', '}', ',', 'a', '/'), maxLength: 40 });
    fc.assert(
      fc.property(pattern, (text) => {
        for (const expand of [expandBraces, expandToFirstClosing]) {
          const results = expand(text, { patterns: 50, characters: 500 });
          if (results) expect(results.length).toBeLessThanOrEqual(50);
          if (!text.includes('{')) expect(results).toEqual([text]);
        }
      }),
    );
  });
});

describe('splitPatterns', () => {
  it.each<[string, string[]]>([
    ['a, b ,,c', ['a', 'b', 'c']],
    ['a{b,c},d', ['a{b,c}', 'd']],
    ['a{b{c,d},e},f', ['a{b{c,d},e}', 'f']],
    ['a{b,c', ['a{b', 'c']],
    ['', []],
  ])('%o', (text, parts) => {
    expect(splitPatterns(text)).toEqual(parts);
  });
});
