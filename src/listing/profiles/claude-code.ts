import { LISTING_LIMITS } from '../../core/limits.ts';
import { listingBudget } from '../budget.ts';
import { cutText } from '../grapheme-cut.ts';
import { joinLines, type ProfileInput, type ProfileListing, stateOf } from './profile.ts';

const CAP = 1_536;

/**
 * Claude Code today: whole descriptions go, those of the worst rank first (there, the least used), until the rest fits.
 * Names always stay.
 */
export function fitClaudeCode({ entries, contextWindow }: ProfileInput): ProfileListing {
  const budget = listingBudget({
    contextWindowTokens: contextWindow,
    fraction: LISTING_LIMITS.budgetFraction,
    fallbackCharacters: LISTING_LIMITS.fallbackCharacters,
  });
  const texts = entries.map(({ prepared }) => cutText(prepared.full, CAP));
  const kept = texts.map((text) => (text === '' ? '' : `: ${text}`));
  let used = entries.length - 1;
  for (const [at, { prepared }] of entries.entries())
    used += 2 + prepared.name.length + (kept[at]?.length ?? 0);
  const worstFirst = [...entries.keys()].toSorted(
    (left, right) => (entries[right]?.rank ?? 0) - (entries[left]?.rank ?? 0),
  );
  for (const at of worstFirst) {
    if (used <= budget) break;
    used -= kept[at]?.length ?? 0;
    kept[at] = '';
  }
  const lines = entries.map(({ prepared }, at) => ({
    line: `- ${prepared.name}${kept[at] ?? ''}`,
    state: stateOf(texts[at]?.length ?? 0, Math.max(0, (kept[at]?.length ?? 0) - 2)),
  }));
  const text = joinLines(lines);
  const states = lines.map(({ state }) => state);
  return { text, used: text.length, budget, unit: 'characters', states };
}
