import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { CatalogEntry, EntryName } from './catalog-entry.ts';
import { Layer } from './layers.ts';
import { type CatalogNode, cutIntoLeaves, type LeafReference, LeafReferences } from './leaves.ts';

/** A leaf: some entries in name order. */
export const CatalogShard = z.strictObject({
  version: z.literal(1),
  entries: z.array(CatalogEntry).min(1),
});
export type CatalogShard = z.infer<typeof CatalogShard>;

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
  shards: LeafReferences,
  gates: Gates,
});
export type CatalogRoot = z.infer<typeof CatalogRoot>;

export interface MerkleCatalog {
  readonly root: CatalogNode;
  readonly shards: readonly CatalogNode[];
}

/** Makes a layer's catalog: adding or removing one skill changes the shard it falls into and the root, and nothing else. */
export function buildCatalog(
  layer: Layer,
  entries: readonly CatalogEntry[],
  gates: Gates = {},
): MerkleCatalog {
  const { leaves, references } = cutIntoLeaves(entries);
  return { root: rootOf(layer, references, gates), shards: leaves };
}

export function rootOf(layer: Layer, shards: readonly LeafReference[], gates: Gates): CatalogNode {
  const entries = shards.reduce((sum, { count }) => sum + count, 0);
  const text = canonicalJson({ version: 1, layer, entries, shards, gates });
  return { digest: digestOf(text), text };
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
