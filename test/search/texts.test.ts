import { describe, expect, it } from 'vitest';
import { headingsOf } from '../../src/search/headings.ts';
import { positiveText } from '../../src/search/positive-text.ts';
import { termsOfQuery } from '../../src/search/query-terms.ts';
import { snippetOf } from '../../src/search/snippet.ts';
import { isOneMistake } from '../../src/search/spellings.ts';
import { stemOf } from '../../src/search/stem.ts';
import { termsOf } from '../../src/search/words.ts';

describe('stemOf', () => {
  it.each([
    ['deploy', 'deploys', 'deploying', 'deployed', 'deployment', 'deployments'],
    ['create', 'creates', 'creating', 'created'],
    ['plan', 'plans', 'planning', 'planned'],
    ['query', 'queries', 'querying'],
    ['migrate', 'migration', 'migrations', 'migrating'],
    ['pdf', 'pdfs'],
    ['api', 'apis'],
    ['test', 'tests', 'testing', 'tested'],
    ['review', 'reviewer', 'reviews', 'reviewing'],
  ])('brings the forms of %s together', (...forms) => {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
  });

  it.each([
    ['test', 'text'],
    ['class', 'clad'],
    ['form', 'format'],
    ['status', 'state'],
    ['s3', 's'],
  ])('keeps %s and %s apart', (left, right) => {
    expect(stemOf(left)).not.toBe(stemOf(right));
  });
});

describe('termsOf', () => {
  it.each([
    ['Crème BRÛLÉE', ['crem', 'brule']],
    ['next-js, v2.0', ['next', 'js', 'v2', '0']],
    ["the team's C++ and C# code", ['the', 'team', 'cpp', 'and', 'csharp', 'cod']],
    ['使用PDF文件', ['使用', 'pdf', '文件']],
    ['\u0000 " OR NEAR(', ['or', 'near']],
  ])('of %j', (text, terms) => {
    expect(termsOf(text, 100)).toEqual(terms);
  });

  it('are letters and digits only, whatever comes', () => {
    const hostile = String.fromCodePoint(...Array.from({ length: 0x3000 }, (_, code) => code));
    expect(termsOf(hostile, 100_000).filter((term) => /["\s\0()*:^+-]/.test(term))).toEqual([]);
  });

  it('takes linear time', () => {
    const started = Date.now();
    for (const piece of ['a', "'", 'a+', '使', '\u0301', 'a ']) termsOf(piece.repeat(200_000), 1_000_000);
    expect(Date.now() - started).toBeLessThan(5_000);
  });
});

describe('positiveText', () => {
  it.each([
    ['Makes PDFs. Do not use for Word files. Use for forms.', 'Makes PDFs.\n\nUse for forms.'],
    ['Writes SQL; never use when the store is Redis', 'Writes SQL;\n'],
    ["Plans trips, but don't use it for hotels. Fast.", 'Plans trips, but \nFast.'],
    ['NOT for images, e.g. PNG. For text.', '\nFor text.'],
    ['Used for Node.js. Do not guess.', 'Used for Node.js.\nDo not guess.'],
  ])('of %j', (text, positive) => {
    expect(positiveText(text)).toBe(positive);
  });
});

describe('headingsOf', () => {
  it('are those outside of fences', () => {
    expect(headingsOf('# One\ntext\n```sh\n# no\n```\n### Two ###\n#no\n')).toBe('One\nTwo ###');
  });
});

describe('termsOfQuery', () => {
  it('are the words that say something, each once', () => {
    expect(termsOfQuery('I want to merge PDFs, please: merge a PDF')).toEqual(['merg', 'pdf']);
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
