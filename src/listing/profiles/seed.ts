import { LISTING_LIMITS } from '../../core/limits.ts';
import { listingBudget } from '../budget.ts';
import { cutText } from '../grapheme-cut.ts';
import { cutToWidth, displayWidth } from './display-width.ts';
import { joinLines, type ProfileInput, type ProfileLine, type ProfileListing, stateOf } from './profile.ts';

const CAP = 250;
/** Shorter texts are not printed at all. */
const MINIMUM = 20;
/** `- ` and `: ` of a line. */
const FRAME = 4;

/**
 * Claude Code's baseline: bundled skills are never cut, all others to one common width, or else to their names. It
 * measures columns on a terminal, and lists every name whether it fits or not.
 */
export function fitSeed({ entries, contextWindow }: ProfileInput): ProfileListing {
  const budget = listingBudget({
    contextWindowTokens: contextWindow,
    fraction: LISTING_LIMITS.budgetFraction,
    fallbackCharacters: LISTING_LIMITS.fallbackCharacters,
  });
  const skills = entries.map(({ prepared }) => ({ ...prepared, full: cutText(prepared.full, CAP) }));
  const others = skills.filter(({ bundled }) => !bundled);
  const whole = skills.map(({ name, full }) => displayWidth(lineOf(name, full)));
  const fits = sum(whole) + skills.length - 1 <= budget;
  const bundledWidth = sum(whole.filter((_, at) => skills[at]?.bundled === true).map((width) => width + 1));
  const overhead = sum(others.map(({ name }) => displayWidth(name) + FRAME)) + others.length - 1;
  const width = Math.floor((budget - bundledWidth - overhead) / Math.max(1, others.length));
  const lines = skills.map(({ name, full, bundled }): ProfileLine => {
    if (fits || bundled) return { line: lineOf(name, full), state: 'full' };
    const text = width < MINIMUM ? '' : cutToWidth(full, width);
    return { line: lineOf(name, text), state: text === full ? 'full' : stateOf(full.length, text.length) };
  });
  const text = joinLines(lines);
  const used = text === '' ? 0 : sum(text.split('\n').map(displayWidth)) + lines.length - 1;
  return { text, used, budget, unit: 'columns', states: lines.map(({ state }) => state) };
}

function lineOf(name: string, text: string): string {
  return text === '' ? `- ${name}` : `- ${name}: ${text}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
