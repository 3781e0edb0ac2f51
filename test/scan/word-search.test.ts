import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WordSearch } from '../../src/scan/word-search.ts';

function foundIn(words: readonly string[], text: string): [string, number][] {
  const found: [string, number][] = [];
  new WordSearch(words).search(new TextEncoder().encode(text), (word, end) => {
    found.push([words[word] ?? '', end]);
  });
  return found;
}

/** The same, found one word after the other: where each ends, none in another one of the same word. */
function oracle(words: readonly string[], text: string): [string, number][] {
  // Bytes one a character, so that offsets are those of bytes.
  const plain = new TextEncoder().encode(text).reduce((all, byte) => all + String.fromCharCode(byte), ' ');
  const folded = plain
    .replaceAll(/[\t\n\v\f\r]/g, ' ')
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return words.flatMap((word) => {
    const found: [string, number][] = [];
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
      found.push([word, at + word.length - 1]);
    return found;
  });
}

describe('a search for words', () => {
  it.each<[string, string[], string, [string, number][]]>([
    ['a word in any case', ['curl'], 'CuRl', [['curl', 4]]],
    ['white space of any kind', ['rm -rf'], 'rm\t-rf', [['rm -rf', 6]]],
    ['a word behind white space at the beginning', [' nc '], 'nc -l', [[' nc ', 3]]],
    [
      'words that share bytes',
      ['abcd', 'bcde'],
      'abcde',
      [
        ['abcd', 4],
        ['bcde', 5],
      ],
    ],
    ['a word of three bytes', ['://'], 'a://b', [['://', 4]]],
    ['a word of three bytes at an odd end', ['://'], '://', [['://', 3]]],
    ['a word of four bytes at an odd end', ['exec'], 'aexec', [['exec', 5]]],
    ['no word that goes on behind the text', ['curl '], 'curl', []],
    ['characters of other alphabets', ['忽略'], 'x忽略', [['忽略', 7]]],
    ['no overlaps of a word with itself', ['aaaa'], 'aaaaaa', [['aaaa', 4]]],
  ])('finds %s', (_, words, text, expected) => {
    expect(foundIn(words, text)).toEqual(expected);
  });

  it.each(['abc', 'abcd', 'abcdef', 'abcdefgh'])('finds %s wherever it stands in a long text', (word) => {
    // Longer than what is searched at once, with words across each of its edges.
    const line = word.padEnd(8, '-');
    for (let shift = 0; shift < line.length; shift += 1) {
      const text = '.'.repeat(shift) + line.repeat(3_000);
      expect(foundIn([word], text)).toEqual(oracle([word], text));
    }
  });

  it('refuses words that are in every text', () => {
    expect(() => new WordSearch(['ab'])).toThrow('too short');
  });

  it('finds the words that are there, and no others', () => {
    const letters = fc.constantFrom('a', 'b', 'c', ' ');
    const word = fc.string({ unit: letters, minLength: 3, maxLength: 7 });
    const text = fc.string({ unit: fc.constantFrom('a', 'B', 'c', 'C', ' ', '\n', 'é'), maxLength: 40 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), text, (words, text) => {
        const found = foundIn(words, text);
        // Those of one word in order.
        expect(words.flatMap((word) => found.filter(([other]) => other === word))).toEqual(
          oracle(words, text),
        );
      }),
      { numRuns: 3_000 },
    );
  });
});
