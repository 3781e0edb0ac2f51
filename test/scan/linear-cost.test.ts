import { describe, expect, it } from 'vitest';
import type { PatternRule } from '../../src/scan/rule.ts';
import { PATTERN_RULES } from '../../src/scan/rules/all-rules.ts';

/** Longer than anything a pattern is ever tried on, so that what is not linear shows. */
const LENGTHS = [4_000, 16_000];
/** Four times the text costs a linear pattern four times as much; a quadratic one sixteen. */
const MOST = 12;
/** What is faster than this cannot be compared. */
const LEAST_MILLISECONDS = 8;
const ROUNDS = 12;

/** Texts that patterns begin to match again and again, and never end to. */
function pumps({ words, finds, pattern }: PatternRule): string[] {
  const example = finds.map((find) => (typeof find === 'string' ? find : find.text));
  const literals = pattern.source.match(/[a-z]{3,}/gi) ?? [];
  return [
    ...new Set([
      ...words
        .flat()
        .slice(0, 6)
        .map((word) => `${word} `),
      ...literals.slice(0, 12).map((word) => `${word} `),
      ...example.map((text) => text.slice(0, Math.floor(text.length * 0.7))),
      ' ',
      'a',
      '/',
      '../',
      '-a ',
      '"',
      '$(',
    ]),
  ];
}

function cost(pattern: RegExp, text: string): number {
  const begun = performance.now();
  pattern.lastIndex = 0;
  while (pattern.exec(text) !== null) if (pattern.lastIndex === 0) break;
  return performance.now() - begun;
}

/** How many times as much the long text costs, by the fastest of some rounds: as many as a busy machine needs to show it. */
function growth(pattern: RegExp, short: string, long: string): number {
  const times = long.length / short.length;
  let large = Infinity;
  let small = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    large = Math.min(large, cost(pattern, long));
    if (large < LEAST_MILLISECONDS) return 0;
    // As much text in all: a clock of whole milliseconds tells nothing of the short one alone.
    const begun = performance.now();
    for (let time = 0; time < times; time += 1) cost(pattern, short);
    small = Math.min(small, (performance.now() - begun) / times);
    if (large / small < MOST) break;
  }
  return large / small;
}

describe.each(PATTERN_RULES.map((rule): [string, PatternRule] => [rule.id, rule]))(
  'the pattern of %s',
  (_, rule) => {
    it('costs time in proportion to its text', () => {
      const [short = 0, long = 0] = LENGTHS;
      // The first use of a pattern compiles it.
      cost(rule.pattern, 'a'.repeat(short));
      for (const pump of pumps(rule)) {
        const text = pump.repeat(Math.ceil(long / pump.length));
        const ratio = growth(rule.pattern, text.slice(0, short), text.slice(0, long));
        expect(ratio, JSON.stringify(pump)).toBeLessThan(MOST);
      }
    });
  },
);
