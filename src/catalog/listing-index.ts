import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import { CatalogEntry } from './catalog-entry.ts';
import { firstPatterns } from './first-patterns.ts';
import { type CatalogNode, cutIntoLeaves, type LeafReference, LeafReferences } from './leaves.ts';
import { isListed } from './listing-state.ts';
import { firstRequirements } from './requirement.ts';
import { ListingTokens } from './token-counts.ts';

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
  /** Of the texts as they are here. */
  tokens: ListingTokens.nullable().default(null),
});
export type IndexEntry = z.infer<typeof IndexEntry>;

/** A leaf of the index: some entries in name order. Not strict: an index used to be one such page, with its total. */
export const IndexPage = z.object({ version: z.literal(1), entries: z.array(IndexEntry) });
export type IndexPage = z.infer<typeof IndexPage>;

/**
 * The part of a catalog that a listing may show: the top entries by static rank. It is cut into pages, so that one publish
 * writes, checks and reads again one of them, however large the layer is.
 */
export const ListingIndex = z
  .strictObject({ version: z.literal(2), pages: LeafReferences })
  .refine(
    ({ pages }) => pages.reduce((sum, { count }) => sum + count, 0) <= CATALOG_LIMITS.indexEntries,
    'too many entries',
  );
export type ListingIndex = z.infer<typeof ListingIndex>;

export interface BuiltIndex {
  readonly root: CatalogNode;
  readonly pages: readonly CatalogNode[];
  /** Parallel to the pages, as the root has them. */
  readonly references: readonly LeafReference[];
}

export const ENTRY_TEXTS = ['description', 'whenToUse', 'shortDescription'] as const;
type EntryTexts = Pick<IndexEntry, (typeof ENTRY_TEXTS)[number]>;
/** Counts texts that had to be shortened; null where nobody can: an entry has counts of its own texts or none. */
export type Recount = (texts: EntryTexts) => readonly number[] | null;
type Row = z.input<typeof IndexEntry>;

/** Texts (patterns and requirements, too) of one entry, shortened in these steps until the whole index fits its size. */
const TEXT_STEPS = [SKILL_LIMITS.entryDescriptionCharacters, 512, 256, 128, 64, 16, 0] as const;
/** Texts are shortened down to this for the sake of counts, and no further: few listings print more of them. */
const COUNTED_STEP = 256;
/** What is around the rows of a page, `{"entries":[],"version":1}`; few pages are shorter than an eighth of the usual. */
const PAGE_BYTES = 32;
const ROWS_BYTES =
  CATALOG_LIMITS.indexBytes - PAGE_BYTES * ((CATALOG_LIMITS.indexEntries / CATALOG_LIMITS.leafEntries) * 8);

/** An entry as an index knows it: its counts are those of its texts. */
type Indexed = Pick<CatalogEntry, Exclude<keyof IndexEntry, 'tokens'>> & Pick<IndexEntry, 'tokens'>;

/** Static rank: what models can be shown comes first, then what they can be shown some time, then by name. Made once, when the layer is published. */
export function buildListingIndex(
  entries: readonly CatalogEntry[],
  recount: Recount = () => null,
): BuiltIndex {
  return fitIndex(entries.map(indexed), recount);
}

/**
 * An index after some of its layer's skills changed, out of what it shows already: where all skills of the layer are in it,
 * with whole texts, it is the one that would be built of all of them. `removed` are the names of all that changed, `added`
 * what they are now.
 */
export function changeListingIndex(
  shown: readonly IndexEntry[],
  removed: ReadonlySet<string>,
  added: readonly CatalogEntry[],
): BuiltIndex {
  const kept = shown.filter(({ name }) => !removed.has(name));
  return fitIndex([...kept, ...added.map(indexed)], () => null);
}

function indexed({ tokens, ...entry }: CatalogEntry): Indexed {
  return { ...entry, tokens: tokens?.listing ?? null };
}

function fitIndex(entries: readonly Indexed[], recount: Recount): BuiltIndex {
  const ranked = entries
    .toSorted((left, right) => listed(right) - listed(left) || byCodeUnit(left.name, right.name))
    .slice(0, CATALOG_LIMITS.indexEntries);
  for (const limit of TEXT_STEPS) {
    const rows = ranked.map((entry) => trim(entry, limit));
    const room = ROWS_BYTES - new TextEncoder().encode(canonicalJson(rows)).length;
    if (room < 0 && limit > 0) continue;
    const { counted, left } = addCounts(ranked, rows, room, recount);
    if (left < 0 && limit > COUNTED_STEP) continue;
    const { leaves, references } = cutIntoLeaves(counted);
    const text = canonicalJson({ version: 2, pages: references });
    return { root: { digest: digestOf(text), text }, pages: leaves, references };
  }
  throw new RangeError('unreachable: the last step is always taken');
}

/** Rows with their counts, from the best rank on until there is no room; what is then `left` is less than nothing. */
function addCounts(
  ranked: readonly Indexed[],
  rows: readonly Row[],
  room: number,
  recount: Recount,
): { counted: Row[]; left: number } {
  let left = room;
  const counted = rows.map((row, at) => {
    const entry = ranked[at];
    if (left < 0 || !entry?.tokens) return row;
    const listing = entry.tokens;
    const same = ENTRY_TEXTS.every((key) => row[key] === entry[key]);
    const texts = same ? listing.slice(0, -2) : recount(row);
    if (texts === null) return row;
    const tokens = [...texts, ...listing.slice(-2)];
    left -= `"tokens":${JSON.stringify(tokens)},`.length;
    return left < 0 ? row : { ...row, tokens };
  });
  return { counted, left };
}

function listed(entry: Indexed): number {
  if (isListed(entry.listing)) return 2;
  return entry.listing === 'conditional' ? 1 : 0;
}

function trim(entry: Indexed, limit: number): Row {
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
