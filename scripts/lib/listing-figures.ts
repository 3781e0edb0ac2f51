import { TOKENIZER } from '../../src/catalog/token-counts.ts';
import type { Listing, ListingCounts } from '../../src/view/listing/list-skills.ts';

const BAR = 40;
const STATES = [
  'full',
  'shortened',
  'nameOnly',
  'omitted',
  'unlisted',
  'shadowed',
] as const satisfies (keyof ListingCounts)[];
const NAMES: Readonly<Record<(typeof STATES)[number], string>> = {
  full: 'full',
  shortened: 'shortened',
  nameOnly: 'name only',
  omitted: 'omitted',
  unlisted: 'unlisted',
  shadowed: 'shadowed',
};

/** A bar for each state, as long as its share of all skills; what is there at all has at least one block. */
export function coverageBars({ counts }: Pick<Listing, 'counts'>): string {
  return STATES.map((state) => {
    const count = counts[state];
    const share = count / Math.max(1, counts.total);
    const blocks = count === 0 ? 0 : Math.max(1, Math.round(share * BAR));
    const bar = '█'.repeat(blocks).padEnd(BAR, '·');
    return `${NAMES[state].padEnd(9)} ${bar} ${String(count).padStart(6)} ${(share * 100).toFixed(1).padStart(5)} %`;
  }).join('\n');
}

export function usedLine(listing: Listing): string {
  const { used, budget, contextWindow, counts } = listing;
  const share = budget === 0 ? 0 : (used / budget) * 100;
  const window = contextWindow === null ? 'an unknown window' : `a window of ${contextWindow} tokens`;
  return `${used} of ${budget} ${unitName(listing)} (${share.toFixed(1)} %) for ${window}, ${counts.total} skills`;
}

function unitName({ unit, estimatedEntries }: Listing): string {
  if (unit !== 'counted') return unit;
  const estimated = estimatedEntries === 0 ? '' : `, ${estimatedEntries} skills estimated`;
  return `tokens of ${TOKENIZER}${estimated}`;
}

/** One row for each window. */
export function figuresTable(listings: readonly Listing[]): string {
  const header = ['window', 'budget', 'used', ...STATES.map((state) => NAMES[state])];
  const rows = listings.map(({ contextWindow, budget, used, counts }) => [
    String(contextWindow ?? 'unknown'),
    String(budget),
    String(used),
    ...STATES.map((state) => String(counts[state])),
  ]);
  const widths = header.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  return [header, ...rows]
    .map((row) => row.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  '))
    .join('\n');
}
