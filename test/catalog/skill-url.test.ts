import { describe, expect, it } from 'vitest';
import { readSkillUrl } from '../../src/catalog/skill-url.ts';

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
