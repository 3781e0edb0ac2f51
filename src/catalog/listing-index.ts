import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import { CatalogEntry } from './catalog-entry.ts';
import { firstPatterns } from './first-patterns.ts';
import { isListed } from './listing-state.ts';
import { firstRequirements } from './requirement.ts';

/** What a listing needs of one entry. `revision` tells equal skills of two layers apart from mere namesakes. */
export const IndexEntry = CatalogEntry.pick({
  name: true,
  revision: true,
  description: true,
  whenToUse: true,
  shortDescription: true,
  listing: true,
  trust: true,
  requires: true,
}).extend({
  // What most skills have is not written: an index is read on the way to every cold listing.
  userInvocable: CatalogEntry.shape.userInvocable.default(true),
  scope: CatalogEntry.shape.scope.default(null),
  paths: CatalogEntry.shape.paths.default([]),
  platforms: CatalogEntry.shape.platforms.default([]),
  products: CatalogEntry.shape.products.default([]),
});
export type IndexEntry = z.infer<typeof IndexEntry>;

/**
 * The part of a catalog that a listing may show: the top entries by static rank, in that order. `total` counts all
 * entries of the layer, so that what ranks below the index is still counted as omitted.
 */
export const ListingIndex = z.strictObject({
  version: z.literal(1),
  total: z.int().nonnegative(),
  entries: z.array(IndexEntry).max(CATALOG_LIMITS.indexEntries),
});
export type ListingIndex = z.infer<typeof ListingIndex>;

/** Texts (patterns and requirements, too) of one entry, shortened in these steps until the whole index fits its size. */
const TEXT_STEPS = [SKILL_LIMITS.entryDescriptionCharacters, 512, 256, 128, 64, 16, 0] as const;

/** Static rank: what models can be shown comes first, then what they can be shown some time, then by name. Made once, when the layer is published. */
export function buildListingIndex(entries: readonly CatalogEntry[]): { digest: Digest; text: string } {
  const ranked = entries
    .toSorted((left, right) => listed(right) - listed(left) || byCodeUnit(left.name, right.name))
    .slice(0, CATALOG_LIMITS.indexEntries);
  for (const limit of TEXT_STEPS) {
    const text = canonicalJson({
      version: 1,
      total: entries.length,
      entries: ranked.map((entry) => trim(entry, limit)),
    });
    if (limit === 0 || new TextEncoder().encode(text).length <= CATALOG_LIMITS.indexBytes) {
      return { digest: digestOf(text), text };
    }
  }
  throw new RangeError('unreachable: the last step is always taken');
}

function listed(entry: CatalogEntry): number {
  if (isListed(entry.listing)) return 2;
  return entry.listing === 'conditional' ? 1 : 0;
}

function trim(entry: CatalogEntry, limit: number): z.input<typeof IndexEntry> {
  const cut = (text: string): string => (text.length <= limit ? text : text.slice(0, limit).toWellFormed());
  const paths = firstPatterns(entry.paths, entry.paths.length, limit);
  const { platforms, products, requires = [] } = entry;
  const needed = firstRequirements(requires, requires.length, limit);
  return {
    name: entry.name,
    revision: entry.revision,
    description: cut(entry.description),
    whenToUse: cut(entry.whenToUse),
    shortDescription: cut(entry.shortDescription),
    listing: entry.listing,
    ...(entry.userInvocable ? {} : { userInvocable: false }),
    ...(entry.scope === null ? {} : { scope: entry.scope }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(platforms.length === 0 ? {} : { platforms }),
    ...(products.length === 0 ? {} : { products }),
    ...(needed.length === 0 ? {} : { requires: needed }),
    trust: entry.trust,
  };
}
