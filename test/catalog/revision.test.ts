import { describe, expect, it } from 'vitest';
import { isSafePath, revisionDocument } from '../../src/catalog/revision.ts';
import { digestOf } from '../../src/core/digest.ts';

const file = (path: string, content = path) => ({
  path,
  size: content.length,
  sha256: digestOf(content),
  executable: false,
});

describe('revisions', () => {
  it('depend on name, paths, bytes and the executable bit, and on nothing else', () => {
    const base = revisionDocument({ name: 'x', files: [file('SKILL.md'), file('a.txt')] });
    expect(revisionDocument({ name: 'x', files: [file('a.txt'), file('SKILL.md')] })).toEqual(base);
    const others = [
      { name: 'y', files: [file('SKILL.md'), file('a.txt')] },
      { name: 'x', files: [file('SKILL.md'), file('b.txt', 'a.txt')] },
      { name: 'x', files: [file('SKILL.md'), file('a.txt', 'other')] },
      { name: 'x', files: [file('SKILL.md'), { ...file('a.txt'), executable: true }] },
    ];
    const digests = new Set([base.digest, ...others.map((other) => revisionDocument(other).digest)]);
    expect(digests.size).toBe(5);
    expect(base.digest).toBe(digestOf(base.text));
  });
});

describe('isSafePath', () => {
  it.each(['SKILL.md', 'a/b/c.txt', '.hidden', '...', 'a..b', 'ü/ß', 'with space'])('%o is safe', (path) => {
    expect(isSafePath(path)).toBe(true);
  });

  it.each([
    '',
    '/',
    '/etc/passwd',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a/./b',
    'a\\b',
    'a\u0000b',
    'a\nb',
    'a\u007fb',
    'x'.repeat(513),
    'é'.repeat(257),
    Array.from({ length: 17 }, () => 'a').join('/'),
  ])('%o is not', (path) => {
    expect(isSafePath(path)).toBe(false);
  });
});
