import { isUntrusted } from '../../catalog/provenance.ts';
import { BoundedCache } from '../../core/bounded-cache.ts';
import { byCodeUnit } from '../../core/canonical-json.ts';
import { CACHE_LIMITS } from '../../core/limits.ts';
import type { IndexEntry } from '../../catalog/listing-index.ts';
import { type Layer, layerKind } from '../../catalog/layers.ts';
import { type ListingState, strictest } from '../../catalog/listing-state.ts';
import { originMark, type PreparedEntry, prepareEntry } from '../../listing/listing-entry.ts';
import type { BlobStore } from '../ports.ts';
import { entriesOf, readIndexPages } from '../read-index.ts';
import type { SkillState } from '../settings/skill-states.ts';
import { TakenNames } from '../taken-names.ts';
import { isSwitchedOff, stateOf, type View } from '../view.ts';

/** A skill of a merged view, whatever it is called by: no layer has a slash in it. */
export function skillKey(layer: Layer, name: string): string {
  return `${layer}/${name}`;
}

/** A skill that has its name to itself in a view. */
export interface MergedSkill {
  readonly entry: IndexEntry;
  readonly layer: Layer;
  /** Where it stands for models, by its author, its publisher and its organisation. */
  readonly listing: ListingState;
  readonly pinned: boolean;
  /** How much it is used, 0 where it is not. */
  readonly used: number;
  readonly prepared: PreparedEntry;
}

/** A view's skills, ready for any request. */
export interface MergedListing {
  /** In precedence and name order, which is the order of lines. */
  readonly skills: readonly MergedSkill[];
  readonly shadowed: readonly { readonly layer: Layer; readonly name: string }[];
  readonly total: number;
  readonly beyondIndex: number;
}

/** What a state makes of a skill. It can hide what its author shows, and never show what its author hides. */
const STATED: Readonly<Record<SkillState, ListingState>> = {
  pinned: 'auto',
  auto: 'auto',
  'name-only': 'name-only',
  manual: 'unlisted',
  off: 'manual',
};

/** Merged views that this isolate remembers, so that another request for the same view only has to be fitted. */
const known = new BoundedCache<string, MergedListing>(CACHE_LIMITS.mergedSkills);

/** The skills of a view by precedence: one round of reads, or none. Null where an index cannot be read. */
export async function mergeListing(blobs: BlobStore, view: View): Promise<MergedListing | null> {
  const key = `${view.organisation}\n${view.fingerprint}`;
  const before = known.get(key);
  if (before) return before;
  const made = await readAndMerge(blobs, view);
  if (made) known.set(key, made, Math.max(1, made.skills.length));
  return made;
}

async function readAndMerge(blobs: BlobStore, view: View): Promise<MergedListing | null> {
  const indexes = (await readIndexPages(blobs, view.layers)).map((pages) => pages && entriesOf(pages));
  const taken = new TakenNames(
    indexes.some((index) => index?.some(({ trust }) => isUntrusted(trust)) ?? false),
  );
  const used = new Map(view.usage?.scores.map(({ layer, name, score }) => [skillKey(layer, name), score]));
  const skills: MergedSkill[] = [];
  const shadowed: { layer: Layer; name: string }[] = [];
  let [total, beyondIndex] = [0, 0];
  for (const [position, viewLayer] of view.layers.entries()) {
    const { layer } = viewLayer;
    const index = indexes[position];
    if (!index) return null;
    const entries = index
      .filter((entry) => !isSwitchedOff(view, viewLayer, entry.name))
      .toSorted((left, right) => byCodeUnit(left.name, right.name));
    beyondIndex += viewLayer.head.entries - index.length;
    total += viewLayer.head.entries - (index.length - entries.length);
    for (const entry of entries) {
      const name = taken.take(entry);
      if (name === 'same') total -= 1;
      else if (name === 'shadowed') shadowed.push({ layer, name: entry.name });
      else skills.push(merged(view, layer, entry, used.get(skillKey(layer, entry.name)) ?? 0));
    }
  }
  return { skills, shadowed, total, beyondIndex };
}

function merged(view: View, layer: Layer, entry: IndexEntry, used: number): MergedSkill {
  const state = stateOf(view, layer, entry.name);
  const listing = strictest(entry.listing, STATED[state]);
  const nameOnly = state === 'name-only' || entry.listing === 'name-only';
  const shown = nameOnly ? { ...entry, description: '', whenToUse: '', shortDescription: '' } : entry;
  const mark = originMark(entry.trust, layer);
  const prepared = prepareEntry({ ...shown, bundled: layerKind(layer) === 'bundled', mark });
  return { entry, layer, listing, pinned: state === 'pinned', used, prepared };
}
