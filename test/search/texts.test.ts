import { describe, expect, it } from 'vitest';
import { headingsOf } from '../../src/search/headings.ts';
import { termsOfQuery } from '../../src/search/query-terms.ts';
import { snippetOf } from '../../src/search/snippet.ts';
import { isOneMistake } from '../../src/search/spellings.ts';

describe('headingsOf', () => {
  it('are those outside of fences', () => {
    expect(headingsOf('# One\ntext\n```sh\n# no\n```\n### Two ###\n#no\n')).toBe('One\nTwo ###');
  });
});

describe('termsOfQuery', () => {
  it('are the words that say something, each once', () => {
    expect(termsOfQuery('I want to merge PDFs, please: merge a PDF')).toEqual(['merg', 'pdf']);
    // Notes are not `not`, though the index has one stem for both.
    expect(termsOfQuery('release notes, not a draft')).toEqual(['releas', 'not', 'draft']);
    expect(termsOfQuery('how to do it')).toEqual(['how', 'to', 'do', 'it']);
    expect(termsOfQuery('"" * ()')).toEqual([]);
    expect(termsOfQuery(Array.from({ length: 100 }, (_, index) => `w${index}`).join(' '))).toHaveLength(32);
  });
});

describe('isOneMistake', () => {
  it.each([
    ['terraform', 'teraform', true],
    ['kubernetes', 'kuberntees', true],
    ['docker', 'dokcer', true],
    ['docker', 'rocker', true],
    ['docker', 'docker', false],
    ['docker', 'dock', false],
    ['stripe', 'string', false],
  ])('%s and %s: %s', (left, right, expected) => {
    expect([isOneMistake(left, right), isOneMistake(right, left)]).toEqual([expected, expected]);
  });
});

describe('snippetOf', () => {
  const shown = (text: string, ...terms: string[]) => {
    const snippet = snippetOf(text, new Set(terms));
    return [snippet.text, snippet.marks.map(({ start, end }) => snippet.text.slice(start, end))];
  };

  it('marks the words that matched, in whatever form', () => {
    expect(shown('Merges PDF files.', 'merg', 'pdf')).toEqual(['Merges PDF files.', ['Merges', 'PDF']]);
  });

  it('shows the part with the most of them, cut between words', () => {
    const [text, marks] = shown(`${'word '.repeat(100)}merge the pdf ${'more '.repeat(100)}`, 'merg', 'pdf');
    expect(marks).toEqual(['merge', 'pdf']);
    expect(text).toMatch(/^…word .* more…$/);
    expect(text?.length).toBeLessThanOrEqual(202);
  });

  it('is one visible line, and never half a character', () => {
    expect(shown('a\n- b\u202e <x>', 'b')).toEqual(['a - b ‹x›', ['b']]);
    expect(snippetOf('😀'.repeat(500), new Set(['x'])).text.isWellFormed()).toBe(true);
  });
});
