import { LISTING_LIMITS } from '../../core/limits.ts';
import { listingBudget } from '../../listing/budget.ts';
import { COUNTED_LINES, COUNTED_REMINDER, type CountedLayout } from '../../listing/counted-layout.ts';
import { type CountedEntry, fitCounted } from '../../listing/fit-counted.ts';
import { fitPrepared, type ListingOptions, type ListingState } from '../../listing/fit-listing.ts';
import { type Layout, LINES, REMINDER, XML } from '../../listing/layout.ts';
import { BYTES, estimatedTokens } from '../../listing/measure.ts';
import { fitClaudeCode } from '../../listing/profiles/claude-code.ts';
import { fitCodex } from '../../listing/profiles/codex.ts';
import type { ProfileInput, ProfileListing } from '../../listing/profiles/profile.ts';
import { fitSeed } from '../../listing/profiles/seed.ts';
import type { RankedEntry } from '../../listing/share-room.ts';
import { type ChosenSkills, chooseSkills, type ListedSkill, type Moment } from './choose-skills.ts';
import { type HostInventory, inventoryOf, namesOfSkills } from './host-inventory.ts';
import type { MergedListing } from './merge-listing.ts';
import type { View } from '../view.ts';

export { mergeListing, type MergedListing } from './merge-listing.ts';

/** How many skills of the view ended how. The numbers add up to `total`. */
export interface ListingCounts {
  readonly total: number;
  readonly full: number;
  readonly shortened: number;
  readonly nameOnly: number;
  readonly omitted: number;
  /** Not for this audience to start, not to be listed, or waiting for a path to be touched. */
  readonly unlisted: number;
  /** Same name as a skill of a layer before it; reachable as `layer/name`. */
  readonly shadowed: number;
}

export interface Listing {
  readonly text: string;
  /** In the unit, as is `budget`. */
  readonly used: number;
  readonly budget: number;
  /** `characters` are UTF-16 units. Others are those of the profile. */
  readonly unit: ProfileListing['unit'] | 'counted';
  /** In counted tokens: entries that are printed and had to be estimated; 0 means that `used` is exact. */
  readonly estimatedEntries: number;
  readonly contextWindow: number | null;
  readonly counts: ListingCounts;
  readonly chosen: ChosenSkills;
  /** Parallel to the chosen ones that are listed. */
  readonly states: readonly ListingState[];
}

/** Other systems' arithmetic, for comparison: some exceed their own budget. */
const PROFILES: Readonly<Record<Exclude<Profile, 'skilledge'>, (input: ProfileInput) => ProfileListing>> = {
  seed: fitSeed,
  'claude-code': fitClaudeCode,
  codex: fitCodex,
};
export const PROFILE_NAMES = ['skilledge', 'seed', 'claude-code', 'codex'] as const;
export type Profile = (typeof PROFILE_NAMES)[number];

const LAYOUTS: Readonly<Record<LayoutName, Layout>> = { lines: LINES, reminder: REMINDER, xml: XML };
export type LayoutName = 'lines' | 'reminder' | 'xml';
/** Layouts that tokens can be counted in; what is around an entry in XML is not counted. */
const COUNTED_LAYOUTS: Readonly<Record<LayoutName, CountedLayout | null>> = {
  lines: COUNTED_LINES,
  reminder: COUNTED_REMINDER,
  xml: null,
};

/** UTF-16 units, fourths of bytes, or tokens as a tokenizer counted them at build time. */
export const LISTING_UNITS = ['characters', 'tokens', 'counted'] as const;
type ListingUnit = (typeof LISTING_UNITS)[number];

export function canCount(layout: LayoutName): boolean {
  return COUNTED_LAYOUTS[layout] !== null;
}

/** What a request may wish for beside a window. */
export interface ListingWishes extends Omit<Moment, 'announce' | 'requirements'> {
  /** What the host says it has; null where it says nothing at all, and then no requirement is looked at. */
  readonly has: HostInventory | null;
  /** Null: as the organisation has it. */
  readonly announce: boolean | null;
  readonly layout: LayoutName;
  readonly profile: Profile;
  /** What our own budget counts. */
  readonly unit: ListingUnit;
  /** In the unit, instead of a share of the window; null where the share is meant. */
  readonly budget: number | null;
}

export const NO_WISHES: ListingWishes = {
  audience: 'model',
  paths: [],
  activated: new Set(),
  platform: null,
  product: null,
  loadsBodies: true,
  has: null,
  query: '',
  announce: null,
  layout: 'lines',
  profile: 'skilledge',
  unit: 'characters',
  budget: null,
};

/** Fits a merged listing to a context window; `null` where the caller does not know its window. */
export function fitToWindow(
  view: View,
  merged: MergedListing,
  contextWindow: number | null,
  wishes: ListingWishes = NO_WISHES,
): Listing {
  const chosen = chooseFor(view, merged, wishes);
  const entries = rankedEntries(chosen.listed);
  const fitted: Fitted =
    wishes.profile === 'skilledge'
      ? fitWished(view, entries, wishes, {
          budget: budgetFor(view, contextWindow, wishes),
          unseen: unseenBy(wishes, merged),
          favoured: chosen.favoured,
        })
      : PROFILES[wishes.profile]({ entries, contextWindow });
  const { text, used, budget, unit, states, estimatedEntries = 0 } = fitted;
  const counts = {
    total: merged.total,
    ...countStates(states, merged.beyondIndex),
    unlisted: chosen.unlisted.length,
    shadowed: merged.shadowed.length,
  };
  return { text, used, budget, unit, estimatedEntries, contextWindow, counts, chosen, states };
}

/** Skills that the last line counts beside the entries: to a host that can load no body, nothing is listed. */
export function unseenBy({ loadsBodies }: Pick<ListingWishes, 'loadsBodies'>, merged: MergedListing): number {
  return loadsBodies ? merged.beyondIndex : 0;
}

interface Fitted extends Omit<ProfileListing, 'unit'> {
  readonly unit: Listing['unit'];
  readonly estimatedEntries?: number;
}

function fitWished(
  view: View,
  entries: readonly CountedEntry[],
  wishes: ListingWishes,
  room: { budget: number; unseen: number; favoured: number },
): Fitted {
  const layout = wishes.unit === 'counted' ? COUNTED_LAYOUTS[wishes.layout] : null;
  if (layout === null) return fitOwn(view, entries, wishes, room);
  const { entryCharacters } = view.settings.listing;
  return { ...fitCounted(entries, { ...room, entryCharacters, layout }), unit: 'counted' };
}

export function chooseFor(
  { settings }: View,
  merged: MergedListing,
  { has, ...wishes }: ListingWishes,
): ChosenSkills {
  return chooseSkills(merged.skills, {
    ...wishes,
    announce: wishes.announce ?? settings.listing.announce,
    requirements: has && {
      inventory: inventoryOf(has, namesOfSkills(merged)),
      hide: settings.requirements === 'hide',
    },
  });
}

export function rankedEntries(listed: readonly ListedSkill[]): CountedEntry[] {
  // What a skill waits for, or lacks here, is not what was counted of it.
  return listed.map(({ skill, prepared, rank }) => {
    return { prepared, rank, tokens: prepared === skill.prepared ? skill.entry.tokens : null };
  });
}

export function countStates(states: readonly ListingState[], unseen = 0): Record<ListingState, number> {
  const counts = { full: 0, shortened: 0, nameOnly: 0, omitted: unseen };
  for (const state of states) counts[state] += 1;
  return counts;
}

/** What our own listing may take, in the unit that is wished for. */
export function budgetFor(
  { settings }: View,
  contextWindowTokens: number | null,
  { unit, budget }: Pick<ListingWishes, 'unit' | 'budget'>,
): number {
  if (budget !== null) return budget;
  const { budgetFraction: fraction, fallbackCharacters } = settings.listing;
  const { charactersPerToken } = LISTING_LIMITS;
  if (unit === 'characters') {
    return listingBudget({ contextWindowTokens, fraction, fallbackCharacters, charactersPerToken });
  }
  const fallback = Math.floor(fallbackCharacters / charactersPerToken);
  return listingBudget({
    contextWindowTokens,
    fraction,
    fallbackCharacters: fallback,
    charactersPerToken: 1,
  });
}

/** Fits entries into a budget in characters, or in tokens of four bytes. */
export function fitOwn(
  view: View,
  entries: readonly RankedEntry[],
  { layout, unit }: Pick<ListingWishes, 'layout' | 'unit'>,
  room: Pick<ListingOptions, 'budget' | 'unseen' | 'favoured' | 'gone'>,
): ProfileListing {
  const { entryCharacters } = view.settings.listing;
  const options = { ...room, entryCharacters, layout: LAYOUTS[layout] };
  if (unit === 'characters') return { ...fitPrepared(entries, options), unit };
  const bytes = room.budget * LISTING_LIMITS.bytesPerToken;
  const fitted = fitPrepared(entries, { ...options, budget: bytes, measure: BYTES });
  return { ...fitted, used: estimatedTokens(fitted.text), budget: room.budget, unit: 'tokens' };
}
