import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../src/format/fold-name.ts';

const SAME: readonly (readonly [string, string, string])[] = [
  ['case', 'Deploy', 'deploy'],
  ['case beyond one letter', 'straße', 'STRASSE'],
  ['a sigma at the end', 'ΟΔΟΣ', 'οδοσ'],
  ['width', 'ｄｅｐｌｏｙ', 'deploy'],
  ['ligatures', 'conﬁg', 'config'],
  ['a zero width space', 'de\u200Bploy', 'deploy'],
  ['a joiner', 'de\u200Dploy', 'deploy'],
  ['a soft hyphen', 'de\u00ADploy', 'deploy'],
  ['a byte order mark', '\uFEFFdeploy', 'deploy'],
  ['direction controls', '\u202Edeploy\u202C', 'deploy'],
  ['tag characters', 'deploy\u{E0061}\u{E007F}', 'deploy'],
  ['a variation selector', 'deploy\uFE0F', 'deploy'],
  ['a Hangul filler', 'deploy\u3164', 'deploy'],
  ['a non-breaking hyphen', 'my\u2011skill', 'my-skill'],
  ['an en dash', 'my\u2013skill', 'my-skill'],
  ['a minus', 'my\u2212skill', 'my-skill'],
  ['a small hyphen', 'my\uFE63skill', 'my-skill'],
  ['a non-breaking space', 'my\u00A0skill', 'my skill'],
  ['spaces', '  my \t skill ', 'my skill'],
  ['a braille blank', 'my\u2800skill', 'my skill'],
  ['composed or not', 'caf\u00E9', 'cafe\u0301'],
];

const DIFFERENT: readonly (readonly [string, string, string])[] = [
  ['letters of another alphabet', 'dеploy', 'deploy'],
  ['a digit for a letter', 'depl0y', 'deploy'],
  ['a space for a hyphen', 'my skill', 'my-skill'],
  ['an underscore for a hyphen', 'my_skill', 'my-skill'],
  ['two hyphens', 'my--skill', 'my-skill'],
  ['an accent', 'café', 'cafe'],
  ['a prefix', 'a:deploy', 'deploy'],
];

describe('foldName', () => {
  it.each(SAME)('%s makes no other name', (_what, left, right) => {
    expect(foldName(left)).toBe(foldName(right));
  });

  it.each(DIFFERENT)('%s makes another name', (_what, left, right) => {
    expect(foldName(left)).not.toBe(foldName(right));
  });

  it('leaves a plain name alone', () => {
    expect(foldName('pdf-reader2')).toBe('pdf-reader2');
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (name) => {
        const folded = foldName(name.toWellFormed());
        expect(foldName(folded)).toBe(folded);
      }),
      { numRuns: 3_000 },
    );
  });
});
