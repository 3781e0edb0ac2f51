import { describe, expect, it } from 'vitest';
import { relevance, type SearchableText } from '../../src/listing/relevance.ts';

const text = (name: string, description = '', whenToUse = ''): SearchableText => ({
  name,
  description,
  whenToUse,
});

function best(query: string, texts: readonly SearchableText[]): string[] {
  const scores = relevance(query, texts);
  return texts
    .map(({ name }, at) => ({ name, score: scores[at] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((left, right) => right.score - left.score)
    .map(({ name }) => name);
}

describe('relevance', () => {
  it('puts a name before a trigger hint before a description', () => {
    const texts = [text('a', 'About pdf.'), text('b', '', 'When there is a pdf.'), text('pdf')];
    expect(best('PDF', texts)).toEqual(['pdf', 'b', 'a']);
  });

  it('counts a rare word more than a common one', () => {
    const texts = [
      text('x', 'Makes a report.'),
      text('y', 'Makes an invoice.'),
      text('z', 'Makes a report.'),
    ];
    expect(best('make invoice report', texts)[0]).toBe('y');
  });

  it('knows beginnings and plurals', () => {
    expect(best('migrat', [text('a', 'Writes migrations.')])).toEqual(['a']);
    expect(best('tables', [text('a', 'Reads a table.')])).toEqual(['a']);
    expect(best('do', [text('a', 'Docker.')])).toEqual([]);
  });

  it('is not taken in by what a skill says it is not for', () => {
    const texts = [text('deck', 'Makes slides. Do not use for pdf files; reads notes.'), text('pdf')];
    expect(best('pdf', texts)).toEqual(['pdf']);
    expect(best('notes', texts)).toEqual(['deck']);
  });

  it('finds words of scripts without spaces', () => {
    expect(best('合同审查', [text('a', '审查法律合同的条款'), text('b', '天气预报')])).toEqual(['a']);
  });

  it('is nothing for a query without words', () => {
    expect(relevance(' -- ', [text('a')])).toEqual([0]);
    expect(relevance('x', [])).toEqual([]);
  });

  it('ranks 4,096 texts in less than 400 ms', () => {
    const texts = Array.from({ length: 4_096 }, (_, at) =>
      text(`skill-${at}`, `Does number ${at}. ${'More of it. '.repeat(15)}`, 'When it is asked for.'),
    );
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      relevance('please do number 77 and more of what I asked for', texts);
      return performance.now() - started;
    });
    expect(Math.min(...times)).toBeLessThan(400);
  });
});
