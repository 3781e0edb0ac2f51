import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { CatalogEntry, EntryName } from './catalog-entry.ts';
import { type CatalogBranch, cutIntoBranches } from './branches.ts';
import { Layer } from './layers.ts';
import { type CatalogNode, cutIntoLeaves, type LeafReference, LeafReferences } from './leaves.ts';
import { DigestSchema } from './revision.ts';

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

/** The root of one layer's catalog with its shards; where these are few, this is how it is stored. */
export const CatalogRoot = z.strictObject({
  version: z.literal(1),
  layer: Layer,
  entries: z.int().nonnegative().max(CATALOG_LIMITS.entries),
  shards: LeafReferences,
  gates: Gates,
});
export type CatalogRoot = z.infer<typeof CatalogRoot>;

/** The root of a large catalog: as long as it is itself, it is written with every publish. */
const BranchedRoot = CatalogRoot.omit({ shards: true }).extend({
  version: z.literal(2),
  branches: z
    .array(DigestSchema)
    .max(CATALOG_LIMITS.branches)
    .refine((branches) => new Set(branches).size === branches.length, 'a branch is there twice'),
});

/** A root as it is stored. One that has all its shards itself may have any number of them, as it once had. */
export const StoredRoot = z.discriminatedUnion('version', [CatalogRoot, BranchedRoot]);
export type StoredRoot = z.infer<typeof StoredRoot>;

/** The digests of a root's branches, in order; none where it has its shards itself. */
export function branchesOf(stored: StoredRoot): readonly Digest[] {
  return stored.version === 1 ? [] : stored.branches;
}

/** A root with all its shards, whichever way it is stored; null where a branch is, or where they have more than there can be. */
export function openRoot(
  stored: StoredRoot,
  branches: readonly (CatalogBranch | null)[],
): CatalogRoot | null {
  if (stored.version === 1) return stored;
  const { layer, entries, gates } = stored;
  const count = branches.reduce((sum, branch) => sum + (branch?.shards.length ?? 0), 0);
  // No shard is empty. Counted before they are put together, which a hostile root could make long.
  if (branches.includes(null) || count > entries) return null;
  const shards = branches.flatMap((branch) => branch?.shards ?? []);
  return { version: 1, layer, entries, shards, gates };
}

export interface RootNodes {
  readonly root: CatalogNode;
  readonly branches: readonly CatalogNode[];
}

export interface MerkleCatalog extends RootNodes {
  readonly shards: readonly CatalogNode[];
}

/**
 * Makes a layer's catalog: adding or removing one skill changes the shard it falls into and the root, in a large layer the
 * branch between them too, and nothing else.
 */
export function buildCatalog(
  layer: Layer,
  entries: readonly CatalogEntry[],
  gates: Gates = {},
): MerkleCatalog {
  const { leaves, references } = cutIntoLeaves(entries);
  return { ...rootOf(layer, references, gates), shards: leaves };
}

/** The one root of some shards, and its branches. */
export function rootOf(layer: Layer, shards: readonly LeafReference[], gates: Gates): RootNodes {
  const entries = shards.reduce((sum, { count }) => sum + count, 0);
  const branches = cutIntoBranches(shards);
  const stored: StoredRoot =
    branches.length === 0
      ? { version: 1, layer, entries, shards, gates }
      : { version: 2, layer, entries, branches: branches.map(({ digest }) => digest), gates };
  const text = canonicalJson(stored);
  return { root: { digest: digestOf(text), text }, branches };
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
