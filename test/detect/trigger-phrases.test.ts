import { describe, expect, it } from 'vitest';
import { triggerPhrases } from '../../src/detect/trigger-phrases.ts';

const phrases = (description: string, whenToUse = '') => {
  const { wanted, refused } = triggerPhrases({ description, whenToUse });
  return [wanted.map((words) => words.join(' ')), refused.map((words) => words.join(' '))];
};

describe('triggerPhrases', () => {
  it.each<[description: string, wanted: string[], refused: string[]]>([
    // Without a sentence that says when, there is none; what a skill does is no trigger.
    ['Bakes bread in a stone oven, "slowly".', [], []],
    [
      'Bakes bread. Use when the user asks to bake sourdough bread, shape a loaf or feed a starter.',
      ['bak sourdough bread', 'shap loaf', 'feed start'],
      [],
    ],
    ['Use this skill whenever someone is working with oven logs.', ['oven log'], []],
    ['Useful for cutting release notes and tagging builds', ['cut releas not tag build'], []],
    [
      'Should be used for Kubernetes upgrades; rolling back a failed upgrade',
      ['kubernet upgrad', 'roll back fail upgrad'],
      [],
    ],
    [
      'Use when:\n- pruning an apple tree;\n- grafting roses.\nMakes bad puns.',
      ['prun appl tre', 'graft ros'],
      [],
    ],
    // One word of a sentence is no trigger; a quoted one, and one of a list of triggers, is.
    ['Use when writing, reviewing, or shipping Rust.', ['ship rust'], []],
    ['Use when the user says "standup" or asks for a “daily report”.', ['standup', 'daili report'], []],
    ['Makes notes. Triggers: retro, standup, "what did we do".', ['retro', 'standup'], []],
    ["Triggers on 'fix my build', 'the build is red'", ['fix build', 'build red'], []],
    ["Activate when the customer's invoice is late", ['custom invoic lat'], []],
    // What is ruled out.
    [
      'Makes slides. Use for pitch decks. Do NOT use for spreadsheets, PDF forms, or editing.',
      ['pitch deck'],
      ['spreadsheet', 'pdf form'],
    ],
    ['Use when planning a trip, but not for hotel bookings', ['plan trip'], ['hotel book']],
    ['当用户说「周报生成」时使用。', [], []],
    ['', [], []],
  ])('of %j', (description, wanted, refused) => {
    expect(phrases(description)).toEqual([wanted, refused]);
  });

  it('takes every phrase of trigger hints, whether or not they begin with a word for it', () => {
    expect(phrases('Bakes.', 'the oven is cold, "preheat"; never for open fire')).toEqual([
      ['preheat', 'oven cold'],
      ['open fir'],
    ]);
  });

  it('has at most so many, each of at most so many words', () => {
    const many = Array.from({ length: 200 }, (_, at) => `case number${at}`).join(', ');
    expect(phrases(`Use for ${many}`)[0]).toHaveLength(64);
    const long = Array.from({ length: 20 }, (_, at) => `word${at}`);
    expect(phrases(`Use for ${long.join(' ')}`)[0]).toEqual([long.slice(0, 8).join(' ')]);
  });

  it('takes linear time on hostile text', () => {
    const started = performance.now();
    for (const piece of ['use ', '"', "'", 'use for a, ', 'do not use ', 'when ', 'trigger ', 'a-', 'or '])
      triggerPhrases({ description: piece.repeat(20_000), whenToUse: '' });
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
