import { byCodeUnit } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import { LISTING_LIMITS } from '../core/limits.ts';
import { type IndexEntry, ListingIndex } from '../catalog/listing-index.ts';
import { layerKind } from '../catalog/layers.ts';
import { isListed } from '../catalog/listing-state.ts';
import { listingBudget } from '../listing/budget.ts';
import { fitPrepared } from '../listing/fit-listing.ts';
import { prepareEntry } from '../listing/listing-entry.ts';
import type { RankedEntry } from '../listing/share-room.ts';
import { documentKind } from './json-document.ts';
import { TakenNames } from './taken-names.ts';
import { isSwitchedOff, type View } from './view.ts';
import type { BlobStore } from './ports.ts';

export const INDEX = documentKind(ListingIndex);

/** How many skills of the view ended how. The numbers add up to `total`. */
export interface ListingCounts {
  readonly total: number;
  readonly full: number;
  readonly shortened: number;
  readonly nameOnly: number;
  readonly omitted: number;
  /** Not for models to start: `disable-model-invocation`, or waiting for a path to be touched. */
  readonly unlisted: number;
  /** Same name as a skill of a layer before it; reachable as `layer/name`. */
  readonly shadowed: number;
}

export interface Listing {
  readonly text: string;
  /** Characters (UTF-16 units), as is `budget`. */
  readonly used: number;
  readonly budget: number;
  readonly contextWindow: number | null;
  readonly counts: ListingCounts;
  readonly entityTag: string;
}

/** Merged entries of a view, ready to be fitted to any budget. */
export interface MergedListing {
  readonly entries: readonly RankedEntry[];
  readonly total: number;
  readonly beyondIndex: number;
  readonly unlisted: number;
  readonly shadowed: number;
}

/** Reads the listing indexes of a view, one round, and merges them by precedence. */
export async function mergeListing(blobs: BlobStore, view: View): Promise<MergedListing | null> {
  const wanted = view.layers.map(({ space, head }) => ({ space, digest: head.index }));
  const indexes = await blobs.readDocuments(wanted, INDEX);
  const taken = new TakenNames(
    indexes.some((index) => index?.entries.some(({ trust }) => trust === 'community')),
  );
  const chosen: { entry: IndexEntry; layer: number; bundled: boolean }[] = [];
  let [total, beyondIndex, unlisted, shadowed] = [0, 0, 0, 0];
  for (const [position, layer] of view.layers.entries()) {
    const index = indexes[position];
    if (!index) return null;
    const entries = index.entries.filter((entry) => !isSwitchedOff(view, layer.layer, entry.name));
    beyondIndex += index.total - index.entries.length;
    total += index.total - (index.entries.length - entries.length);
    for (const entry of entries) {
      const name = taken.take(entry);
      if (name === 'same') total -= 1;
      else if (name === 'shadowed') shadowed += 1;
      else if (!isListed(entry.listing)) unlisted += 1;
      else
        chosen.push({ entry: shown(entry), layer: position, bundled: layerKind(layer.layer) === 'bundled' });
    }
  }
  // Until usage and pins rank skills, those of the layers that come first keep their text longest.
  const printed = chosen.toSorted(
    (left, right) => left.layer - right.layer || byCodeUnit(left.entry.name, right.entry.name),
  );
  const entries = printed.map(({ entry, bundled }, rank): RankedEntry => ({
    prepared: prepareEntry({ ...entry, bundled }),
    rank,
  }));
  return { entries, total, beyondIndex, unlisted, shadowed };
}

/** What a listing may say of an entry: of some nothing but their name. */
function shown(entry: IndexEntry): IndexEntry {
  if (entry.listing !== 'name-only') return entry;
  return { ...entry, description: '', whenToUse: '', shortDescription: '' };
}

/** Fits a merged listing to a context window; `null` where the caller does not know its window. */
export function fitToWindow(view: View, merged: MergedListing, contextWindow: number | null): Listing {
  const { budgetFraction, fallbackCharacters, entryCharacters } = view.settings.listing;
  const budget = listingBudget({
    contextWindowTokens: contextWindow,
    fraction: budgetFraction,
    fallbackCharacters,
    charactersPerToken: LISTING_LIMITS.charactersPerToken,
  });
  const fitted = fitPrepared(merged.entries, { budget, entryCharacters, unseen: merged.beyondIndex });
  const { full, shortened, nameOnly, omitted } = fitted.counts;
  const counts: ListingCounts = {
    total: merged.total,
    full,
    shortened,
    nameOnly,
    omitted: omitted + merged.beyondIndex,
    unlisted: merged.unlisted,
    shadowed: merged.shadowed,
  };
  const entityTag = `"${digestOf(JSON.stringify([fitted.text, budget, counts]))}"`;
  return { text: fitted.text, used: fitted.used, budget, contextWindow, counts, entityTag };
}
