import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainText } from '../../src/core/plain-text.ts';
import { readSkillUrl, skillUrl } from '../../src/catalog/skill-url.ts';

describe('readSkillUrl', () => {
  it.each([
    ['skill://pdf', 'pdf', null],
    ['SKILL://pdf/', 'pdf', null],
    ['skill://pdf/references/tables.md', 'pdf', 'references/tables.md'],
    ['skill://org%2Fpdf/a%20b.md', 'org/pdf', 'a b.md'],
    ['skill://tools:pdf/..a/b..', 'tools:pdf', '..a/b..'],
    ['skill://pdf/100%25.md', 'pdf', '100%.md'],
  ])('%s', (url, name, path) => {
    expect(readSkillUrl(url)).toEqual({ name, path });
  });

  it.each([
    'pdf',
    'https://pdf',
    'skill:/pdf',
    'skill://',
    'skill:///etc/passwd',
    'skill://pdf/../secret',
    'skill://pdf/a/../../b',
    'skill://pdf/.',
    'skill://pdf//etc/passwd',
    'skill://pdf/a//b',
    'skill://pdf/%2e%2e/secret',
    'skill://pdf/%2E%2e',
    'skill://pdf/..%2fsecret',
    'skill://pdf/a%2Fb',
    'skill://pdf/a%5Cb',
    String.raw`skill://pdf/..\secret`,
    String.raw`skill://..\pdf`,
    'skill://pdf/a%00.md',
    'skill://pdf/a\u0000.md',
    'skill://pdf/a%0Ab',
    'skill://pdf/%zz',
    'skill://pdf/%C3',
    'skill://pdf/\ud800',
  ])('%j is none', (url) => {
    expect(readSkillUrl(url)).toBeNull();
  });
});

describe('skillUrl', () => {
  it.each([
    ['pdf', null, 'skill://pdf'],
    ['pdf', 'references/tables.md', 'skill://pdf/references/tables.md'],
    ['tools:pdf', '100%.md', 'skill://tools%3Apdf/100%25.md'],
    ['pdf', 'a%20b c?#.md', 'skill://pdf/a%2520b%20c%3F%23.md'],
  ])('%s %s', (name, path, url) => {
    expect(skillUrl(name, path)).toBe(url);
  });

  it('is read as the same file again, whatever its name', () => {
    const segment = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => isPlainText(text) && !/[/\\]|^\.{1,2}$/.test(text));
    fc.assert(
      fc.property(segment, fc.array(segment, { minLength: 1, maxLength: 4 }), (name, segments) => {
        const path = segments.join('/');
        expect(readSkillUrl(skillUrl(name, path))).toEqual({ name, path });
      }),
    );
  });
});
