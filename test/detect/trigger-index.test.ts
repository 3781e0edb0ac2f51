import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildTriggerIndex, findTriggered } from '../../src/detect/trigger-index.ts';
import { triggerPhrases } from '../../src/detect/trigger-phrases.ts';

const indexOf = (...descriptions: string[]) =>
  buildTriggerIndex(descriptions.map((description) => triggerPhrases({ description, whenToUse: '' })));

/** `skill: phrase`, with `part` of one, and what vetoes it. */
const found = (message: string, ...descriptions: string[]) =>
  findTriggered(indexOf(...descriptions), message).map(({ skill, place, whole, veto }) =>
    [
      `${skill}: ${message.slice(place.start, place.end)}`,
      ...(whole ? [] : ['part']),
      ...(veto ? [`not ${message.slice(veto.start, veto.end)}`] : []),
    ].join(', '),
  );

describe('findTriggered', () => {
  it('finds a phrase in whatever form, with words between that say nothing', () => {
    expect(found('please deploy the new services now', 'Use when deploying a new service')).toEqual([
      '0: deploy the new services',
    ]);
  });

  it('finds two words of a phrase that follow each other, and not fewer or others', () => {
    const skill = 'Use when migrating a legacy database schema';
    expect(found('our database schema is old', skill)).toEqual(['0: database schema, part']);
    expect(found('a database and its schema', skill)).toEqual(['0: database and its schema, part']);
    expect(found('the schema of a database', skill)).toEqual([]);
    expect(found('the database', skill)).toEqual([]);
  });

  it('puts the longest first, then whole phrases, then those of few skills', () => {
    expect(
      found(
        'merge the pdf files, then plan a trip',
        'Use when merging PDF documents',
        'Use when merging PDF files',
        'Use when merging PDF files quickly',
        'Use when planning a trip',
      ),
    ).toEqual([
      '1: merge the pdf files',
      '2: merge the pdf files, part',
      '3: plan a trip',
      '0: merge the pdf, part',
    ]);
  });

  it('says what vetoes it: a whole phrase that is refused, and not a part of a longer one that is wanted', () => {
    const skill = 'Use for pdf form filling. Do not use for pdf, or word documents.';
    expect(found('pdf form in a word document', skill)).toEqual(['0: pdf form, part, not word document']);
    expect(found('pdf form in one word', skill)).toEqual(['0: pdf form, part']);
    expect(found('a word document', skill)).toEqual([]);
    expect(found('pdf form, or just a pdf', skill)).toEqual(['0: pdf form, part, not pdf']);
  });

  it('takes a single word only where few skills speak of it', () => {
    const say = (word: string) => `Triggers: ${word}`;
    expect(found('time for the retro', say('retro'))).toEqual(['0: retro']);
    expect(found('time for the retro', ...Array.from({ length: 4 }, () => say('retro')))).toEqual([]);
  });

  it('finds what it was given, wherever it stands, at the right place', () => {
    const word = fc.constantFrom('alpha', 'bravo', 'gamma', 'delta', 'omega', 'kilo');
    const filler = fc.array(fc.constantFrom('the', 'of', '--', 'zulu', '"', 'é', '😀'), { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), filler, filler, (phrase, before, after) => {
        const text = phrase.join(' ');
        const message = [...before, text, ...after].join(' ');
        const [best] = findTriggered(indexOf(`Use for ${text}`), message);
        expect(message.slice(best?.place.start, best?.place.end)).toBe(text);
        expect(best).toMatchObject({ skill: 0, whole: true, veto: null });
      }),
    );
  });

  it('never throws', () => {
    const index = indexOf('Use for a b c, "constructor", __proto__ x. Not for to string.');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (message) => {
        for (const { place } of findTriggered(index, message)) expect(place.end).toBeGreaterThan(place.start);
      }),
    );
    expect(findTriggered(index, 'constructor toString __proto__ hasOwnProperty')).toHaveLength(1);
  });

  it('looks for the phrases of 2,000 skills in 4 KiB in less than 5 ms once warm, and in hostile text in bounded time', () => {
    const noun = (at: number) => `thing${at % 700} part${at % 31} place${at % 97}`;
    const skills = Array.from(
      { length: 2_000 },
      (_, at) =>
        `Does it. Use when fixing ${noun(at)}, making ${noun(at + 1)} or "${noun(at + 2)}". Not for ${noun(at + 3)}.`,
    );
    const index = indexOf(...skills);
    const message = Array.from({ length: 400 }, (_, at) => noun(at * 7))
      .join(' and the ')
      .slice(0, 4_096);
    const time = (text: string) => {
      const times = Array.from({ length: 15 }, () => {
        const started = performance.now();
        findTriggered(index, text);
        return performance.now() - started;
      });
      return times.toSorted((left, right) => left - right)[7] ?? Number.POSITIVE_INFINITY;
    };
    // Twice the target: other tests run at the same time.
    expect(time(message)).toBeLessThan(10);
    const same = indexOf(
      ...Array.from({ length: 2_000 }, () => 'Use for alpha bravo alpha bravo, bravo alpha. Not for alpha.'),
    );
    const started = performance.now();
    findTriggered(same, 'alpha bravo '.repeat(1_400));
    expect(performance.now() - started).toBeLessThan(500);
  });
});
