import { CatalogBranch } from '../catalog/branches.ts';
import type { Space } from '../catalog/layers.ts';
import { branchesOf, type CatalogRoot, openRoot, StoredRoot } from '../catalog/merkle-catalog.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import type { Digest } from '../core/digest.ts';
import { documentKind } from './json-document.ts';
import type { BlobStore } from './ports.ts';

const ROOT = documentKind(StoredRoot, CATALOG_LIMITS.rootBytes);
const BRANCH = documentKind(CatalogBranch, CATALOG_LIMITS.branchBytes);

/** A catalog's root with all its shards, in one read or, where it is large, two; null where not all of it can be read. */
export async function readRoot(blobs: BlobStore, space: Space, catalog: Digest): Promise<CatalogRoot | null> {
  const stored = await readStored(blobs, space, catalog);
  if (!stored) return null;
  const wanted = branchesOf(stored).map((digest) => ({ space, digest }));
  return openRoot(stored, wanted.length === 0 ? [] : await blobs.readDocuments(wanted, BRANCH));
}

/** The branches that a catalog is stored with; none, too, where its root cannot be read. */
export async function readBranches(
  blobs: BlobStore,
  space: Space,
  catalog: Digest,
): Promise<readonly Digest[]> {
  const stored = await readStored(blobs, space, catalog);
  return stored ? branchesOf(stored) : [];
}

async function readStored(blobs: BlobStore, space: Space, digest: Digest): Promise<StoredRoot | null> {
  const [stored] = await blobs.readDocuments([{ space, digest }], ROOT);
  return stored ?? null;
}
