import { z } from 'zod';
import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { type CatalogNode, isOneOf, type LeafReference, LeafReferences } from './leaves.ts';

/** Some shards of a large catalog, in name order: its root says which branches it has, and they which shards. */
export const CatalogBranch = z.strictObject({ version: z.literal(1), shards: LeafReferences });
export type CatalogBranch = z.infer<typeof CatalogBranch>;

/** More shards than a root has itself. */
const FEW_SHARDS = CATALOG_LIMITS.branchShards * 2;
const LONGEST_BRANCH = CATALOG_LIMITS.branchShards * 4;

/**
 * Cuts shards into branches behind those that their digest chooses, so that a shard that is other changes the branch that
 * it is in and seldom another one. None where there are so few that the root has them itself.
 */
export function cutIntoBranches(shards: readonly LeafReference[]): CatalogNode[] {
  if (shards.length <= FEW_SHARDS) return [];
  const branches: CatalogNode[] = [];
  let open: LeafReference[] = [];
  for (const [at, shard] of shards.entries()) {
    open.push(shard);
    const ends = isOneOf(CATALOG_LIMITS.branchShards, shard.digest) || open.length === LONGEST_BRANCH;
    if (!ends && at < shards.length - 1) continue;
    const text = canonicalJson({ version: 1, shards: open });
    branches.push({ digest: digestOf(text), text });
    open = [];
  }
  return branches;
}
