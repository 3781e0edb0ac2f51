import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeAround } from '../../src/scan/reach.ts';

function around(text: string, reach: 'line' | 'paragraph'): string {
  const at = text.indexOf('X');
  const { start, end } = rangeAround(text, at, reach);
  return text.slice(start, end);
}

describe('what a pattern is tried on', () => {
  it.each([
    ['a line', 'a\nb X c\nd', 'b X c'],
    ['lines that a backslash joins', 'a\nb \\\nX |\nc\nd', 'b \\\nX |\nc'],
    ['lines that end with two ampersands', 'a &\nb &&\r\nX\nc', 'b &&\r\nX'],
    ['a text without line ends', 'a X b', 'a X b'],
    ['no line below six that go on', 'X\\\n\\\n\\\n\\\n\\\n\\\nz', 'X\\\n\\\n\\\n\\\n\\\n\\'],
  ])('is %s', (_, text, expected) => {
    expect(around(text, 'line')).toBe(expected);
  });

  it.each([
    ['a paragraph', 'a\n\nb\nX\nc\n\nd', 'b\nX\nc'],
    ['a paragraph between lines that end as on Windows', 'a\r\n\r\nb\r\nX\r\n\r\nc', 'b\r\nX\r'],
    ['all where no line is empty', 'a\nX\nb', 'a\nX\nb'],
  ])('is %s', (_, text, expected) => {
    expect(around(text, 'paragraph')).toBe(expected);
  });

  it('is a paragraph as searches in the text around it find one', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r'), maxLength: 2_000 });
    fc.assert(
      fc.property(text, fc.nat(2_000), (whole, offset) => {
        const at = Math.min(offset, whole.length);
        const least = Math.max(0, at - 400);
        const before = whole.slice(least, at);
        const behind = whole.slice(at, at + 800);
        const starts = [...before.matchAll(/(?<=\n\r?)\n/g)].map(({ index }) => least + index + 1);
        const end = /\n\r?\n/.exec(behind)?.index ?? behind.length;
        expect(rangeAround(whole, at, 'paragraph')).toEqual({ start: starts.at(-1) ?? least, end: at + end });
      }),
      { numRuns: 2_000 },
    );
  });
});
