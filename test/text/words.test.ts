import { describe, expect, it } from 'vitest';
import { positiveText } from '../../src/text/exclusions.ts';
import { stemOf } from '../../src/text/stem.ts';
import { termsOf } from '../../src/text/words.ts';

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
