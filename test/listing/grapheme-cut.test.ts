import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../src/listing/grapheme-cut.ts';

const FAMILY = '👨‍👩‍👧';
const GOLDEN: readonly (readonly [string, number, string])[] = [
  ['a'.repeat(250), 250, 'a'.repeat(250)],
  ['a'.repeat(251), 250, `${'a'.repeat(249)}…`],
  ['abc', 3, 'abc'],
  ['abc', 2, 'a…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
  ['abc', -1, ''],
  ['abc', Number.NaN, ''],
  ['abc', 2.9, 'a…'],
  ['', 0, ''],
  ['ab😀cd', 5, 'ab😀…'],
  ['ab😀cd', 4, 'ab…'],
  [`ab${FAMILY}cd`, 9, 'ab…'],
  [`ab${FAMILY}cd`, 11, `ab${FAMILY}…`],
  ['cafe\u0301 x', 5, 'caf…'],
  ['🇩🇪🇫🇷🇮🇹', 8, '🇩🇪…'],
  ['日本語日本語', 4, '日本語…'],
  ['한국어', 2, '한…'],
  [`a${'\u0301'.repeat(99)}`, 50, '…'],
];

describe('cutText', () => {
  it.each(GOLDEN)('%j to %d', (text, limit, cut) => {
    expect(cutText(text, limit)).toBe(cut);
  });

  it('keeps as many whole graphemes as fit, as the slow way finds them', () => {
    const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
    const joiners = fc.constantFrom(
      '\u0301',
      '\u200d',
      '\ufe0f',
      '👩',
      '🇩',
      '🇪',
      '🏽',
      'क',
      '\u094d',
      'ष',
      '각',
      '\u11a8',
      'a',
      ' ',
      '語',
      'も',
      '\u3099',
      '\u0600',
    );
    const texts = fc.oneof(
      fc.string({ unit: joiners, maxLength: 40 }),
      fc.string({ unit: 'grapheme', maxLength: 40 }),
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, limit) => {
        let expected = '';
        for (const { segment } of segmenter.segment(text)) {
          if (expected.length + segment.length > limit - 1) break;
          expected += segment;
        }
        expect(cutText(text, limit)).toBe(text.length <= limit ? text : `${expected}…`);
      }),
      { numRuns: 5000 },
    );
  });
});
