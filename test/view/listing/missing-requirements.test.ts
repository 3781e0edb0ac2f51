import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Requirement, RequirementKind } from '../../../src/catalog/requirement.ts';
import { prepareEntry } from '../../../src/listing/listing-entry.ts';
import {
  askFor,
  consolidateMissing,
  markMissing,
  requirementKey,
} from '../../../src/view/listing/missing-requirements.ts';
import { hostile } from '../../listing/lists.ts';

const need = (kind: RequirementKind, ...oneOf: string[]): Requirement => ({ kind, oneOf });
const prepared = (description: string) =>
  prepareEntry({ name: 'a', description, whenToUse: 'now', shortDescription: 'A.', bundled: false });

describe('the mark of a skill that lacks something', () => {
  it('stands behind each of its texts', () => {
    const missing = [need('bins', 'gh'), need('bins', 'curl', 'wget'), need('env', 'TOKEN')];
    expect(markMissing(prepared('Does a.'), missing)).toMatchObject({
      full: 'Does a. - now (needs gh, curl or wget, TOKEN)',
      plain: 'Does a. (needs gh, curl or wget, TOKEN)',
      least: 'A. (needs gh, curl or wget, TOKEN)',
      note: ' (needs gh, curl or wget, TOKEN)',
    });
  });

  it('is not there where nothing is missing, or a skill is listed by its name', () => {
    const entry = prepared('Does a.');
    expect(markMissing(entry, [])).toBe(entry);
    const bare = prepareEntry({
      name: 'a',
      description: '',
      whenToUse: '',
      shortDescription: '',
      bundled: false,
    });
    expect(markMissing(bare, [need('bins', 'gh')])).toBe(bare);
  });

  it('is short and harmless, whatever a skill needs', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), (names) => {
        const { note = '', full } = markMissing(
          prepared('Does a.'),
          names.map((name) => need('tools', name)),
        );
        expect(note.length).toBeLessThanOrEqual(70);
        expect(full.endsWith(note)).toBe(true);
        expect(full).not.toMatch(/[<>]|[^\S \n]|\n|[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
  });
});

describe('one question', () => {
  it('names each thing once, with the skills that wait for it', () => {
    const missing = consolidateMissing([
      { name: 'review', missing: [need('bins', 'gh'), need('env', 'TOKEN')] },
      { name: 'fetch', missing: [need('bins', 'wget', 'curl')] },
      { name: 'release', missing: [need('bins', 'gh'), need('bins', 'curl', 'wget')] },
    ]);
    expect(missing).toEqual([
      { kind: 'bins', oneOf: ['gh'], skills: ['review', 'release'] },
      { kind: 'env', oneOf: ['TOKEN'], skills: ['review'] },
      { kind: 'bins', oneOf: ['wget', 'curl'], skills: ['fetch', 'release'] },
    ]);
    expect(askFor(missing).question).toBe(
      [
        'Some skills need what is not there:',
        '- the program gh, for review, release',
        '- the environment variable TOKEN, for review',
        '- the program wget or curl, for fetch, release',
        'Can it be set up, or is it to be done without? Say only what is set up, and never what is secret.',
      ].join('\n'),
    );
  });

  it('has a bounded line for each thing, whatever it is called', () => {
    const skills = Array.from({ length: 100 }, (_, at) => `skill-${at}`);
    expect(askFor([{ kind: 'skills', oneOf: ['x\n- the tool y'], skills }]).question.split('\n')[1]).toBe(
      '- the skill x - the tool y, for skill-0, skill-1, skill-2, skill-3, skill-4, skill-5, skill-6, skill-7 and 92 more',
    );
  });

  it('leaves nothing out and adds nothing', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const missing = fc.array(
      fc.record({
        kind: fc.constantFrom(...RequirementKind.options),
        oneOf: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }),
      }),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.array(fc.record({ name: names, missing }), { maxLength: 5 }), (skills) => {
        const asked = consolidateMissing(skills);
        const keys = asked.map(requirementKey);
        expect(new Set(keys).size).toBe(keys.length);
        const pairs = new Set(
          asked.flatMap((one) => one.skills.map((name) => `${requirementKey(one)} ${name}`)),
        );
        const wanted = skills.flatMap(({ name, missing: all }) =>
          all.map((one) => `${requirementKey(one)} ${name}`),
        );
        expect(pairs).toEqual(new Set(wanted));
      }),
    );
  });
});
