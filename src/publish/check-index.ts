import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Space } from '../catalog/layers.ts';
import { ENTRY_TEXTS, type IndexEntry, type ListingIndex } from '../catalog/listing-index.ts';
import {
  type CatalogRoot,
  type CatalogShard,
  shardFor,
  type ShardReference,
} from '../catalog/merkle-catalog.ts';
import { canonicalJson, type Json } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { countPieces, textPieces } from '../listing/counted-pieces.ts';
import { prepareTexts } from '../listing/listing-entry.ts';
import { SHARD } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import { claimedCounter } from './claimed-counter.ts';

export interface IndexedCatalog {
  readonly space: Space;
  readonly root: CatalogRoot;
  /** Shards that the catalog before did not have, by digest. */
  readonly fresh: ReadonlyMap<Digest, CatalogShard>;
  /** What was shown before, and checked then. */
  readonly before: ListingIndex | null;
}

/**
 * What is wrong with a listing index, in words; null where nothing is. It may shorten texts and leave skills out, but says
 * nothing that their rows do not say, of no skill, however long it has been there.
 */
export async function indexFault(
  blobs: BlobStore,
  listing: ListingIndex,
  { space, root, fresh, before }: IndexedCatalog,
): Promise<string | null> {
  if (listing.total !== root.entries) return 'the listing index counts other entries than the catalog';
  const shownBefore = new Map(before?.entries.map((entry) => [entry.name, entry]));
  const names = new Set<string>();
  const unread = new Map<ShardReference, IndexEntry[]>();
  for (const shown of listing.entries) {
    if (names.has(shown.name)) return fault(shown);
    names.add(shown.name);
    const reference = shardFor(root.shards, shown.name);
    if (!reference) return fault(shown);
    const shard = fresh.get(reference.digest);
    if (shard) {
      if (!isShown(shown, shard)) return fault(shown);
      continue;
    }
    // Its row is what it was, and so is what was checked of it.
    const known = shownBefore.get(shown.name);
    if (known && same(shown, known)) continue;
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

function fault({ name }: IndexEntry): string {
  return `the listing index does not show ${JSON.stringify(name)} as the catalog has it`;
}

function isShown(shown: IndexEntry, { entries }: CatalogShard): boolean {
  const row = entries.find(({ name }) => name === shown.name);
  return row !== undefined && shows(shown, row);
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
