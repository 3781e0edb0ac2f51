import { describe, expect, it } from 'vitest';
import type { PatternRule } from '../../src/scan/rule.ts';
import { PATTERN_RULES } from '../../src/scan/rules/all-rules.ts';

/** Longer than anything a pattern is ever tried on, so that what is not linear shows. */
const LENGTHS = [4_000, 16_000];
/** Four times the text costs a linear pattern four times as much; a quadratic one sixteen. Timers are noisy. */
const MOST = 12;
/** What is faster than this cannot be compared. */
const LEAST_MILLISECONDS = 8;

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

describe.each(PATTERN_RULES.map((rule): [string, PatternRule] => [rule.id, rule]))(
  'the pattern of %s',
  (_, rule) => {
    it('costs time in proportion to its text', () => {
      const [short = 0, long = 0] = LENGTHS;
      // The first use of a pattern compiles it.
      cost(rule.pattern, 'a'.repeat(short));
      for (const pump of pumps(rule)) {
        const text = pump.repeat(Math.ceil(long / pump.length));
        const ratio = (): number => {
          const large = cost(rule.pattern, text.slice(0, long));
          return large < LEAST_MILLISECONDS ? 0 : large / cost(rule.pattern, text.slice(0, short));
        };
        // A busy machine stops a process now and then, but not three times.
        expect(Math.min(ratio(), ratio(), ratio()), JSON.stringify(pump)).toBeLessThan(MOST);
      }
    });
  },
);
