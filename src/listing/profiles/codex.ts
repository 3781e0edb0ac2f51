import { LISTING_LIMITS } from '../../core/limits.ts';
import { estimatedTokens } from '../measure.ts';
import { joinLines, type ProfileInput, type ProfileLine, type ProfileListing, stateOf } from './profile.ts';

const FRACTION = 0.02;

interface Candidate {
  readonly head: string;
  readonly characters: readonly string[];
  readonly tail: string;
  printed: number;
}

/**
 * Codex: every line costs its bytes / 4 in tokens. Where not all fits, descriptions are handed out in turns, a character
 * each; where not even the names fit, the last ones are left out.
 */
export function fitCodex({ entries, contextWindow }: ProfileInput): ProfileListing {
  const budget =
    contextWindow === null ? LISTING_LIMITS.fallbackCharacters : Math.floor(contextWindow * FRACTION);
  const unit = contextWindow === null ? 'characters' : 'tokens';
  const cost = (line: string): number => (unit === 'tokens' ? estimatedTokens(`${line}\n`) : line.length + 1);
  const candidates = entries.map(({ prepared }): Candidate => ({
    head: `- ${prepared.name}: `,
    characters: [...prepared.full],
    tail: `(file: skill://${prepared.name}/SKILL.md)`,
    printed: 0,
  }));
  const costs = candidates.map((candidate) => cost(lineOf(candidate)));
  let used = costs.reduce((sum, each) => sum + each, 0);
  const whole = candidates.map((candidate) => ({ ...candidate, printed: candidate.characters.length }));
  const wholeCost = whole.reduce((sum, candidate) => sum + cost(lineOf(candidate)), 0);
  let lines: ProfileLine[];
  if (wholeCost <= budget) {
    used = wholeCost;
    lines = whole.map((candidate) => ({ line: lineOf(candidate), state: 'full' }));
  } else if (used <= budget) {
    used = handOut(candidates, costs, budget, used, cost);
    lines = candidates.map((candidate) => ({
      line: lineOf(candidate),
      state: stateOf(candidate.characters.length, candidate.printed),
    }));
  } else {
    used = 0;
    let full = false;
    lines = candidates.map((candidate, at): ProfileLine => {
      full ||= used + (costs[at] ?? 0) > budget;
      if (full) return { line: null, state: 'omitted' };
      used += costs[at] ?? 0;
      return { line: lineOf(candidate), state: stateOf(candidate.characters.length, 0) };
    });
  }
  return { text: joinLines(lines), used, budget, unit, states: lines.map(({ state }) => state) };
}

/** A character for each in turn, until nobody's next one fits. */
function handOut(
  candidates: readonly Candidate[],
  costs: number[],
  budget: number,
  start: number,
  cost: (line: string) => number,
): number {
  let used = start;
  let waiting = [...candidates.entries()];
  while (waiting.length > 0) {
    waiting = waiting.filter(([at, candidate]) => {
      if (candidate.printed === candidate.characters.length) return false;
      candidate.printed += 1;
      const more = cost(lineOf(candidate)) - (costs[at] ?? 0);
      if (used + more > budget) {
        candidate.printed -= 1;
        return false;
      }
      costs[at] = (costs[at] ?? 0) + more;
      used += more;
      return true;
    });
  }
  return used;
}

function lineOf({ head, characters, tail, printed }: Candidate): string {
  return printed === 0 ? head + tail : `${head}${characters.slice(0, printed).join('')} ${tail}`;
}
