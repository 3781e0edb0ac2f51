import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitArguments } from '../../src/prompt/split-arguments.ts';

const GOLDEN: readonly (readonly [string, readonly string[]])[] = [
  ['', []],
  [' \t\n ', []],
  ['foo "hello world" baz', ['foo', 'hello world', 'baz']],
  ['a"b c"d', ['ab cd']],
  [String.raw`x\ y`, ['x y']],
  ['""', ['']],
  ["'' a", ['', 'a']],
  ['a "" b', ['a', '', 'b']],
  ["'a b'", ['a b']],
  ["--name='a b' c", ['--name=a b', 'c']],
  [String.raw`"a \" b" c`, ['a " b', 'c']],
  [String.raw`"a \\" b`, ['a \\', 'b']],
  [String.raw`\"a b\"`, ['"a', 'b"']],
  [String.raw`'a \n b'`, [String.raw`a \n b`]],
  [String.raw`C:\Users\me \d+`, [String.raw`C:\Users\me`, String.raw`\d+`]],
  ['\\', ['\\']],
  ['*.ts x', ['*.ts', 'x']],
  ['# c d', ['#', 'c', 'd']],
  ['a #c d', ['a', '#c', 'd']],
  ["it's", ["it's"]],
  ["don't stop it's", ["don't", 'stop', "it's"]],
  ["'don't stop' now", ["don't stop", 'now']],
  ["dogs' and cats'", ["dogs'", 'and', "cats'"]],
  ["'tis late", ["'tis", 'late']],
  ['"unterminated x', ['"unterminated', 'x']],
  ['5" pipe', ['5"', 'pipe']],
  ['a > b', ['a', '>', 'b']],
  ['a|b && c', ['a|b', '&&', 'c']],
  ['a;b', ['a;b']],
  ['$HOME ${X} $1', ['$HOME', '${X}', '$1']],
  ['$(ls)', ['$(ls)']],
  ['`ls`', ['`ls`']],
  ['naïve "日本 語" 👩‍👩‍👧', ['naïve', '日本 語', '👩‍👩‍👧']],
];

const bare = (text: string): string => text.replace(/[\s"'\\]/g, '');

describe('splitArguments', () => {
  it.each(GOLDEN)('%j', (text, words) => {
    expect(splitArguments(text)).toEqual(words);
  });

  it('gives back any words that were double-quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        const line = words.map((word) => `"${word.replace(/["\\]/g, String.raw`\$&`)}"`).join(' ');
        expect(splitArguments(line)).toEqual(words);
      }),
      { numRuns: 2000 },
    );
  });

  it('loses nothing but white space, quotes and backslashes', () => {
    const alphabet = fc.constantFrom(
      'a',
      'b1',
      ' ',
      '\n',
      '"',
      "'",
      '\\',
      '#',
      '*',
      '$',
      '>',
      '|',
      ';',
      'é',
      '👍',
    );
    fc.assert(
      fc.property(fc.string({ unit: alphabet, maxLength: 40 }), (text) => {
        expect(bare(splitArguments(text).join(''))).toBe(bare(text));
      }),
      { numRuns: 5000 },
    );
  });

  it('leaves text without quotes and backslashes to white space alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const plain = text.replace(/["'\\]/g, '');
        expect(splitArguments(plain)).toEqual(plain.split(/\s+/).filter((word) => word !== ''));
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['"', "'", '\\', "'a", '"\\"', ' \'"', "a'b "])('is linear in %j', (unit) => {
    const started = performance.now();
    splitArguments(`"${unit.repeat(64 * 1024)}`);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
