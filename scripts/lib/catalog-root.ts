import { CatalogBranch } from '../../src/catalog/branches.ts';
import { branchesOf, type CatalogRoot, openRoot, StoredRoot } from '../../src/catalog/merkle-catalog.ts';
import type { Digest } from '../../src/core/digest.ts';
import { parseJson } from '../../src/view/json-document.ts';

/** A compiled catalog's root with all its shards, and the branches that it is stored with. Throws where it has another shape. */
export function catalogRoot(
  catalog: Digest,
  textOf: (digest: Digest) => string,
): { readonly root: CatalogRoot; readonly branches: readonly Digest[] } {
  const stored = parseJson(StoredRoot, textOf(catalog));
  const branches = stored ? branchesOf(stored) : [];
  const read = branches.map((digest) => parseJson(CatalogBranch, textOf(digest)));
  const root = stored && openRoot(stored, read);
  if (!root) throw new Error(`the catalog ${catalog} has another shape: run "npm run build" again`);
  return { root, branches };
}
