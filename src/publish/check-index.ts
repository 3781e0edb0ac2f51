import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Space } from '../catalog/layers.ts';
import { areInOrder, isLeafOf, leafFor, type LeafReference } from '../catalog/leaves.ts';
import { ENTRY_TEXTS, type IndexEntry, type IndexPage, type ListingIndex } from '../catalog/listing-index.ts';
import { type CatalogRoot, type CatalogShard, findEntry } from '../catalog/merkle-catalog.ts';
import { byCodeUnit, canonicalJson, type Json } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { countPieces, textPieces } from '../listing/counted-pieces.ts';
import { prepareTexts } from '../listing/listing-entry.ts';
import { SHARD } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import { INDEX_PAGE } from '../view/read-index.ts';
import type { Head } from '../view/view-record.ts';
import { claimedCounter } from './claimed-counter.ts';

export interface IndexedCatalog {
  readonly space: Space;
  readonly root: CatalogRoot;
  /** Shards that the catalog before did not have, by digest. */
  readonly fresh: ReadonlyMap<Digest, CatalogShard>;
  /** Where the layer stood before; all that its index showed was checked then. */
  readonly before: Pick<Head, 'shards' | 'pages'> | null;
}

/**
 * What is wrong with a listing index, in words; null where nothing is. It may shorten texts and leave skills out, but says
 * nothing that their rows do not say, of no skill, however long it has been there. Read are the pages that are new, and those
 * that show a skill whose row may have changed.
 */
export async function indexFault(
  blobs: BlobStore,
  index: ListingIndex,
  catalog: IndexedCatalog,
): Promise<string | null> {
  if (!areInOrder(index.pages)) return 'the pages of the listing index are not in name order';
  const changed = changesOf(catalog);
  const standing = new Set(catalog.before?.pages?.map(({ digest }) => digest));
  const isNew = ({ digest }: LeafReference): boolean => !standing.has(digest);
  const references = index.pages.filter(
    (page, at) => isNew(page) || changed.between(page.first, index.pages[at + 1]?.first),
  );
  const pages = await readPages(blobs, catalog.space, references);
  const doubtful: IndexEntry[] = [];
  for (const [at, reference] of references.entries()) {
    const page = pages[at];
    if (!page) return `no page ${reference.digest} of the listing index`;
    if (!isLeafOf(index.pages, reference, page))
      return `the page ${reference.digest} is not what the listing index says of it`;
    for (const shown of page.entries) {
      if (!isNew(reference) && !changed.has(shown.name)) continue;
      const shard = leafFor(catalog.root.shards, shown.name);
      const fresh = shard && catalog.fresh.get(shard.digest);
      if (fresh && !isShown(shown, fresh)) return fault(shown);
      if (!fresh) doubtful.push(shown);
    }
  }
  return doubtful.length === 0 ? null : faultOf(blobs, doubtful, changed, catalog);
}

/** What there is to say against entries whose shards were there before. */
async function faultOf(
  blobs: BlobStore,
  doubtful: readonly IndexEntry[],
  changed: Changes,
  { space, root, before }: IndexedCatalog,
): Promise<string | null> {
  const pagesBefore = before?.pages ?? [];
  const wanted = new Set(doubtful.flatMap(({ name }) => leafFor(pagesBefore, name) ?? []));
  const read = await readPages(blobs, space, [...wanted]);
  const shownBefore = new Map(
    read.flatMap((page) => page?.entries.map((shown) => [shown.name, shown]) ?? []),
  );
  const unread = new Map<LeafReference, IndexEntry[]>();
  for (const shown of doubtful) {
    // Its row is what it was, and so is what was checked of it.
    const known = changed.has(shown.name) ? null : shownBefore.get(shown.name);
    if (known && same(shown, known)) continue;
    const reference = leafFor(root.shards, shown.name);
    if (!reference) return fault(shown);
    unread.set(reference, [...(unread.get(reference) ?? []), shown]);
  }
  const references = [...unread.keys()];
  const shards = await blobs.readDocuments(
    references.map(({ digest }) => ({ space, digest })),
    SHARD,
  );
  for (const [at, reference] of references.entries()) {
    const shard = shards[at];
    const wrong = unread.get(reference)?.find((shown) => !shard || !isShown(shown, shard));
    if (wrong) return fault(wrong);
  }
  return null;
}

function readPages(
  blobs: BlobStore,
  space: Space,
  references: readonly LeafReference[],
): Promise<(IndexPage | null)[]> {
  return blobs.readDocuments(
    references.map(({ digest }) => ({ space, digest })),
    INDEX_PAGE,
  );
}

/** Names that a row may have been written, changed or taken away for: those of shards that are new, and of those that went. */
interface Changes {
  has(name: string): boolean;
  /** Any name from this one on and before that one; undefined: to the end. */
  between(from: string, to: string | undefined): boolean;
}

function changesOf({ root, fresh, before }: IndexedCatalog): Changes {
  const current = new Set(root.shards.map(({ digest }) => digest));
  const isFresh = ({ digest }: LeafReference): boolean => fresh.has(digest);
  const isGone = ({ digest }: LeafReference): boolean => !current.has(digest);
  const gone = before?.shards ?? [];
  const ranges = [...rangesOf(root.shards, isFresh), ...rangesOf(gone, isGone)];
  return {
    has(name) {
      const [now, then] = [leafFor(root.shards, name), leafFor(gone, name)];
      return (now !== null && isFresh(now)) || (then !== null && isGone(then));
    },
    between: (from, to) =>
      ranges.some(
        (range) =>
          (to === undefined || byCodeUnit(range.first, to) < 0) &&
          (range.next === undefined || byCodeUnit(from, range.next) < 0),
      ),
  };
}

function rangesOf(
  shards: readonly LeafReference[],
  among: (shard: LeafReference) => boolean,
): { first: string; next: string | undefined }[] {
  return shards.flatMap((shard, at) =>
    among(shard) ? [{ first: shard.first, next: shards[at + 1]?.first }] : [],
  );
}

function fault({ name }: IndexEntry): string {
  return `the listing index does not show ${JSON.stringify(name)} as the catalog has it`;
}

function isShown(shown: IndexEntry, shard: CatalogShard): boolean {
  const row = findEntry(shard, shown.name);
  return row !== null && shows(shown, row);
}

function shows(shown: IndexEntry, row: CatalogEntry): boolean {
  return (
    shown.revision === row.revision &&
    shown.listing === row.listing &&
    shown.trust === row.trust &&
    shown.userInvocable === row.userInvocable &&
    shown.scope === row.scope &&
    equal([shown.platforms, shown.products], [row.platforms, row.products]) &&
    shown.paths.every((pattern, at) => pattern === row.paths[at]) &&
    equal(shown.requires ?? [], (row.requires ?? []).slice(0, shown.requires?.length ?? 0)) &&
    ENTRY_TEXTS.every((key) => row[key].startsWith(shown[key].replace(/\uFFFD$/, ''))) &&
    mayCount(shown, row)
  );
}

/** The row's counts, or those of shortened texts, within what is certain; an index need not have any. */
function mayCount(shown: IndexEntry, row: CatalogEntry): boolean {
  if (shown.tokens === null) return true;
  if (row.tokens === null) return false;
  const { listing } = row.tokens;
  if (ENTRY_TEXTS.every((key) => shown[key] === row[key])) return equal(shown.tokens, listing);
  const texts = countPieces(claimedCounter(shown.tokens).count, textPieces(prepareTexts(shown)));
  return texts !== null && equal(shown.tokens, [...texts, ...listing.slice(-2)]);
}

/** Thousands of entries are compared with each publish, so texts are compared as they are. */
function same(left: IndexEntry, right: IndexEntry): boolean {
  const { requires = [], tokens, paths, platforms, products, ...plain } = left;
  const other: Readonly<Record<string, unknown>> = right;
  return (
    Object.entries(plain).every(([key, value]) => value === other[key]) &&
    sameList(tokens ?? [], right.tokens ?? []) &&
    sameList(paths, right.paths) &&
    sameList(platforms, right.platforms) &&
    sameList(products, right.products) &&
    requires.length === (right.requires ?? []).length &&
    (requires.length === 0 || equal(requires, right.requires ?? []))
  );
}

function sameList(left: readonly (string | number)[], right: readonly (string | number)[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}

function equal(left: Json, right: Json): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
