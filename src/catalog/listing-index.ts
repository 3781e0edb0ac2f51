import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import { CatalogEntry } from './catalog-entry.ts';
import { firstPatterns } from './first-patterns.ts';
import { isListed } from './listing-state.ts';
import { ListingTokens, type TextTokens } from './token-counts.ts';

/** What a listing needs of one entry. `revision` tells equal skills of two layers apart from mere namesakes. */
export const IndexEntry = CatalogEntry.pick({
  name: true,
  revision: true,
  description: true,
  whenToUse: true,
  shortDescription: true,
  listing: true,
  trust: true,
}).extend({
  // What most skills have is not written: an index is read on the way to every cold listing.
  userInvocable: CatalogEntry.shape.userInvocable.default(true),
  scope: CatalogEntry.shape.scope.default(null),
  paths: CatalogEntry.shape.paths.default([]),
  platforms: CatalogEntry.shape.platforms.default([]),
  products: CatalogEntry.shape.products.default([]),
  /** Of the texts as they are here. */
  tokens: ListingTokens.nullable().default(null),
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

export const ENTRY_TEXTS = ['description', 'whenToUse', 'shortDescription'] as const;
type EntryTexts = Pick<IndexEntry, (typeof ENTRY_TEXTS)[number]>;
/** Counts texts that had to be shortened; null where nobody can, and then the entry has no counts any more. */
export type Recount = (texts: EntryTexts) => TextTokens | null;

/** Texts (and patterns) of one entry in the index, shortened in these steps until the whole index fits its size. */
const TEXT_STEPS = [SKILL_LIMITS.entryDescriptionCharacters, 512, 256, 128, 64, 16, 0] as const;

/** Static rank: what models can be shown comes first, then what they can be shown some time, then by name. Made once, when the layer is published. */
export function buildListingIndex(
  entries: readonly CatalogEntry[],
  recount: Recount = () => null,
): { digest: Digest; text: string } {
  const ranked = entries
    .toSorted((left, right) => listed(right) - listed(left) || byCodeUnit(left.name, right.name))
    .slice(0, CATALOG_LIMITS.indexEntries);
  const written = (limit: number, counts: Recount | null): string => {
    const rows = ranked.map((entry) => trim(entry, limit, counts));
    return canonicalJson({ version: 1, total: entries.length, entries: rows });
  };
  for (const limit of TEXT_STEPS) {
    // Counting again takes time, and most steps are too large without any counts.
    if (limit > 0 && !fits(written(limit, null))) continue;
    const text = written(limit, recount);
    if (limit === 0 || fits(text)) return { digest: digestOf(text), text };
  }
  throw new RangeError('unreachable: the last step is always taken');
}

function fits(text: string): boolean {
  return new TextEncoder().encode(text).length <= CATALOG_LIMITS.indexBytes;
}

function listed(entry: CatalogEntry): number {
  if (isListed(entry.listing)) return 2;
  return entry.listing === 'conditional' ? 1 : 0;
}

function trim(entry: CatalogEntry, limit: number, recount: Recount | null): z.input<typeof IndexEntry> {
  const cut = (text: string): string => (text.length <= limit ? text : text.slice(0, limit).toWellFormed());
  const paths = firstPatterns(entry.paths, entry.paths.length, limit);
  const { platforms, products } = entry;
  const texts = {
    description: cut(entry.description),
    whenToUse: cut(entry.whenToUse),
    shortDescription: cut(entry.shortDescription),
  };
  const tokens = recount && tokensOf(entry, texts, recount);
  return {
    name: entry.name,
    revision: entry.revision,
    ...texts,
    listing: entry.listing,
    ...(entry.userInvocable ? {} : { userInvocable: false }),
    ...(entry.scope === null ? {} : { scope: entry.scope }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(platforms.length === 0 ? {} : { platforms }),
    ...(products.length === 0 ? {} : { products }),
    ...(tokens === null ? {} : { tokens }),
    trust: entry.trust,
  };
}

function tokensOf(entry: CatalogEntry, texts: EntryTexts, recount: Recount): ListingTokens | null {
  if (entry.tokens === null) return null;
  const { body: _, ...tokens } = entry.tokens;
  if (ENTRY_TEXTS.every((key) => texts[key] === entry[key])) return tokens;
  const counted = recount(texts);
  return counted && { ...counted, head: tokens.head };
}
