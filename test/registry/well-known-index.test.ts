import { describe, expect, it } from 'vitest';
import { readWellKnownIndex } from '../../src/registry/well-known-index.ts';
import { INDEX, OLDER_INDEX, SCHEMA } from './fake-registry.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const entry = { name: 'code-review', type: 'skill-md', description: 'x', url: '/files/SKILL.md', digest };

function read(skills: unknown, $schema: string | null = SCHEMA, at = INDEX) {
  const document = $schema === null ? { skills } : { $schema, skills };
  const index = readWellKnownIndex(JSON.stringify(document), at);
  return index.ok ? [...index.value] : index.error;
}

describe('an index of version 0.2.0', () => {
  it.each([
    ['/files/SKILL.md', 'https://registry.example/files/SKILL.md'],
    ['x/SKILL.md', 'https://registry.example/base/.well-known/agent-skills/x/SKILL.md'],
    ['https://cdn.example/a?b', 'https://cdn.example/a?b'],
  ])('reads %s as a URL against its own', (url, href) => {
    const skill = { kind: 'skill', url: href, digest };
    expect(read([{ ...entry, url, unknown: 1 }])).toEqual([['code-review', skill]]);
  });

  it.each([
    ['no object', 'x'],
    ['no name', { ...entry, name: undefined }],
    ['a name that is none', { ...entry, name: 'Code_Review' }],
    ['a name that is a path', { ...entry, name: '../x' }],
    ['a name of 65 letters', { ...entry, name: 'a'.repeat(65) }],
    ['no type', { ...entry, type: undefined }],
    ['no digest', { ...entry, digest: undefined }],
    ['a digest in capitals', { ...entry, digest: `sha256:${'A'.repeat(64)}` }],
    ['a URL that is none', { ...entry, url: 'https://' }],
    ['a URL without end', { ...entry, url: 'x'.repeat(2_001) }],
  ])('leaves out an entry with %s', (_, wrong) => {
    expect(read([wrong, { ...entry, name: 'other' }])).toMatchObject([['other', {}]]);
  });

  it('keeps the first of several of one name', () => {
    expect(read([entry, { ...entry, url: '/second' }])).toMatchObject([
      ['code-review', { url: 'https://registry.example/files/SKILL.md' }],
    ]);
  });

  it('knows of archives, and that they are of no use', () => {
    expect(read([{ ...entry, type: 'archive', url: 'x.tar.gz' }])).toEqual([
      ['code-review', { kind: 'unsupported', reason: 'it is of the type "archive"' }],
    ]);
  });
});

describe('an index of the older shape', () => {
  it.each([
    [{ name: 'x', description: 'x', files: ['SKILL.md'] }, 'skill'],
    [{ name: 'x', description: 'x' }, 'skill'],
    [{ name: 'x', files: ['SKILL.md', 'references/A.md'] }, 'unsupported'],
    [{ name: 'x', files: ['skill.md'] }, 'unsupported'],
  ])('%j: %s', (older, kind) => {
    expect(read([older], null, OLDER_INDEX)).toMatchObject([['x', { kind }]]);
  });

  it('has files beside it, and no digests', () => {
    expect(read([{ name: 'x' }], null, OLDER_INDEX)).toEqual([
      [
        'x',
        { kind: 'skill', url: 'https://registry.example/base/.well-known/skills/x/SKILL.md', digest: null },
      ],
    ]);
  });
});

describe('no index', () => {
  it.each(['', 'null', '[]', '{}', '{"skills":{}}', '{"skills":[', '<html>'])('%j', (text) => {
    expect(readWellKnownIndex(text, INDEX)).toEqual({ ok: false, error: 'its index is no index of skills' });
  });

  it('of more skills than an index may have', () => {
    expect(read(Array.from({ length: 10_001 }, () => 0))).toBe('its index is no index of skills');
  });

  it('of another version', () => {
    expect(read([entry], SCHEMA.replace('0.2.0', '0.3.0'))).toBe(
      'its index is of a version that is not known',
    );
  });
});
