import type { Requirement } from '../../catalog/requirement.ts';
import type { ListingState } from '../../listing/fit-listing.ts';
import type { UnlistedReason } from './choose-skills.ts';
import type { Listing, MergedListing } from './list-skills.ts';
import { skillKey } from './merge-listing.ts';
import { pageSkills } from './page-skills.ts';
import type { BlobStore } from '../ports.ts';
import type { View } from '../view.ts';

/** What became of one skill of the view. */
export interface CoverageRow {
  /** What to call it by. */
  readonly name: string;
  readonly layer: string;
  readonly state: ListingState | 'unlisted' | 'shadowed';
  /** 0 is the last to lose its text; null where it has no part in the listing. */
  readonly rank: number | null;
  readonly reason:
    | 'fits'
    | 'no-text'
    | 'announced'
    | 'budget'
    | 'beyond-index'
    | 'name-taken'
    | UnlistedReason;
  /** What the host lacks for it, where it says what it has and lacks something. */
  readonly missing?: readonly Requirement[];
}

type Fate = Omit<CoverageRow, 'name' | 'layer'>;

const BEYOND: Fate = { state: 'omitted', rank: null, reason: 'beyond-index' };

/** One page of rows in name order, for all skills of the view, those beyond the listing indexes too. */
export async function pageCoverage(
  blobs: BlobStore,
  view: View,
  merged: MergedListing,
  listing: Listing,
  after: string,
): Promise<{ rows: CoverageRow[]; next: string | null } | null> {
  const page = await pageSkills(blobs, view, after);
  if (!page) return null;
  const fates = fatesOf(merged, listing);
  const rows = page.skills.map(({ name, layer }): CoverageRow => {
    const bare = name.startsWith(`${layer}/`) ? name.slice(layer.length + 1) : name;
    return {
      name,
      layer,
      ...(fates.get(skillKey(layer, name)) ?? fates.get(skillKey(layer, bare)) ?? BEYOND),
    };
  });
  return { rows, next: page.next };
}

function fatesOf(merged: MergedListing, { chosen, states }: Listing): Map<string, Fate> {
  const fates = new Map<string, Fate>();
  for (const [at, { skill, prepared, missing, announced, rank }] of chosen.listed.entries()) {
    const state = states[at] ?? 'omitted';
    const whole = announced ? 'announced' : prepared.full === '' ? 'no-text' : 'fits';
    fates.set(skillKey(skill.layer, skill.entry.name), {
      state,
      rank,
      reason: state === 'full' ? whole : 'budget',
      ...lacking(missing),
    });
  }
  for (const { skill, missing, reason } of chosen.unlisted) {
    const fate = { state: 'unlisted', rank: null, reason, ...lacking(missing) } as const;
    fates.set(skillKey(skill.layer, skill.entry.name), fate);
  }
  for (const { layer, name } of merged.shadowed) {
    fates.set(skillKey(layer, name), { state: 'shadowed', rank: null, reason: 'name-taken' });
  }
  return fates;
}

function lacking(missing: readonly Requirement[]): Pick<Fate, 'missing'> {
  return missing.length === 0 ? {} : { missing };
}
