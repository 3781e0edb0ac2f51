import { describe, expect, it } from 'vitest';
import { KnownNames } from '../../src/publish/known-names.ts';

const KNOWN = ['verify', 'skill-creator', 'pdf', 'release-check', 'step-1', 'o0o0o', 'gog'];
const known = new KnownNames(KNOWN.map((name) => ({ name, layer: 'bundled' })));

describe('a name', () => {
  it.each([
    ['Verify', 'verify'],
    ['vеrify', 'verify'],
    ['ver\u200bify', 'verify'],
    ['vérify', 'verify'],
    ['ver1fy', 'verify'],
    ['verfiy', 'verify'],
    ['verifys', 'verify'],
    ['verif', 'verify'],
    ['verity', 'verify'],
    ['verify2', 'verify'],
    ['skillcreator', 'skill-creator'],
    ['skill_creator', 'skill-creator'],
    ['skill-creater', 'skill-creator'],
    ['release-check-5w7zvby', 'release-check'],
    ['gog-5w7zvby', 'gog'],
    ['gog-xkqzv', 'gog'],
    ['ооооо', 'o0o0o'],
  ])('%j can be taken for %j', (name, like) => {
    expect(known.nearTo(name)?.name).toBe(like);
  });

  it.each([
    ['of its own', 'deploy'],
    ['that is the very one', 'verify'],
    ['that is short', 'pd'],
    ['that is a short one with a letter more', 'pdfs'],
    ['two letters away', 'varifi'],
    ['two letters away, with a common neighbour', 'everif'],
    ['with a word behind it', 'verify-links'],
    ['of the same series', 'step-2'],
    ['with a year behind it', 'release-check-2026'],
    ['of nothing', ''],
    ['that is long', 'x'.repeat(600)],
  ])('%s (%j) is not taken for another', (_what, name) => {
    expect(known.nearTo(name)).toBeNull();
  });

  it('is compared with thousands at once, whatever they are', () => {
    const many = new KnownNames(
      Array.from({ length: 12_000 }, (_, at) => ({
        name: `${at}`.padEnd(40, 'abcdefgh'),
        layer: 'org',
      })),
    );
    for (let at = 0; at < 2_000; at += 1) many.nearTo(`${at}`.padEnd(40, 'hgfedcba'));
    expect(many.nearTo('11999'.padEnd(39, 'abcdefgh'))?.name).toBe('11999'.padEnd(40, 'abcdefgh'));
  });
});
