import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { CatalogEntry, EntryName } from './catalog-entry.ts';
import { Layer } from './layers.ts';
import { DigestSchema } from './revision.ts';

/** A leaf: some entries in name order. */
export const CatalogShard = z.strictObject({
  version: z.literal(1),
  entries: z.array(CatalogEntry).min(1),
});
export type CatalogShard = z.infer<typeof CatalogShard>;

/** A shard as its parent knows it: the name of its first entry, and how many there are. */
export const ShardReference = z.strictObject({
  first: EntryName,
  count: z.int().positive(),
  digest: DigestSchema,
});
export type ShardReference = z.infer<typeof ShardReference>;

export const FlagName = z.string().min(1).max(CATALOG_LIMITS.flagCharacters);

/** Catalog name -> the feature flag without which the skill is not there. */
export const Gates = z
  .record(EntryName, FlagName)
  .refine((gates) => Object.keys(gates).length <= CATALOG_LIMITS.gates, 'too many skills wait for a flag');
export type Gates = z.infer<typeof Gates>;

/** The flag that a name waits for; null: none. */
export function flagOf(gates: Gates, name: string): string | null {
  return (Object.hasOwn(gates, name) ? gates[name] : null) ?? null;
}

/** The root of one layer's catalog; its digest is the catalog's. */
export const CatalogRoot = z.strictObject({
  version: z.literal(1),
  layer: Layer,
  entries: z.int().nonnegative().max(CATALOG_LIMITS.entries),
  shards: z.array(ShardReference),
  gates: Gates,
});
export type CatalogRoot = z.infer<typeof CatalogRoot>;

export interface CatalogNode {
  readonly digest: Digest;
  readonly text: string;
}

export interface MerkleCatalog {
  readonly root: CatalogNode;
  readonly shards: readonly CatalogNode[];
}

/** Shards end where the hash of a name says so, a run of this many names at the latest. */
const LONGEST_SHARD = CATALOG_LIMITS.shardEntries * 4;

/**
 * Cuts a layer's entries into shards at names chosen by their own hash, so that adding or removing one skill changes
 * the shard it falls into and its root, and no other shard.
 */
export function buildCatalog(
  layer: Layer,
  entries: readonly CatalogEntry[],
  gates: Gates = {},
): MerkleCatalog {
  const { cut, open } = cutShards(byName(entries));
  const shards = [...cut, ...closed(open)];
  const references = shards.map(({ reference }) => reference);
  return { root: rootOf(layer, references, gates), shards: shards.map(({ node }) => node) };
}

/** A shard that was just cut, and how its root knows it. */
export interface Shard {
  readonly reference: ShardReference;
  readonly node: CatalogNode;
}

/** Shards of entries in name order, and what is left over of them for the next one. */
export function cutShards(sorted: readonly CatalogEntry[]): { cut: Shard[]; open: CatalogEntry[] } {
  const cut: Shard[] = [];
  let open: CatalogEntry[] = [];
  for (const entry of sorted) {
    open.push(entry);
    if (open.length < LONGEST_SHARD && !endsShard(entry.name)) continue;
    cut.push(...closed(open));
    open = [];
  }
  return { cut, open };
}

/** The shard of what is left over; none where nothing is. */
export function closed(entries: readonly CatalogEntry[]): Shard[] {
  const [first] = entries;
  if (!first) return [];
  const text = canonicalJson({ version: 1, entries });
  const digest = digestOf(text);
  return [{ reference: { first: first.name, count: entries.length, digest }, node: { digest, text } }];
}

export function rootOf(layer: Layer, shards: readonly ShardReference[], gates: Gates): CatalogNode {
  const entries = shards.reduce((sum, { count }) => sum + count, 0);
  const text = canonicalJson({ version: 1, layer, entries, shards, gates });
  return { digest: digestOf(text), text };
}

export function byName(entries: readonly CatalogEntry[]): CatalogEntry[] {
  return entries.toSorted((left, right) => byCodeUnit(left.name, right.name));
}

function endsShard(name: string): boolean {
  const prefix = Number.parseInt(digestOf(name).slice('sha256:'.length, 'sha256:'.length + 8), 16);
  return prefix % CATALOG_LIMITS.shardEntries === 0;
}

/** The shard that would hold a name: the last one whose first name is not after it. */
export function shardFor(shards: readonly ShardReference[], name: string): ShardReference | null {
  let low = 0;
  let high = shards.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = shards[middle];
    if (candidate && byCodeUnit(candidate.first, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return shards[low - 1] ?? null;
}

/** The entry of a name in its shard, by binary search. */
export function findEntry(shard: CatalogShard, name: string): CatalogEntry | null {
  let low = 0;
  let high = shard.entries.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const entry = shard.entries[middle];
    if (!entry) return null;
    const order = byCodeUnit(entry.name, name);
    if (order === 0) return entry;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return null;
}
