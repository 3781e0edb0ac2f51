import { ListingIndex } from '../../src/catalog/listing-index.ts';
import { CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import { Revision } from '../../src/catalog/revision.ts';
import type { Digest } from '../../src/core/digest.ts';
import { parseJson } from '../../src/view/json-document.ts';
import type { Bundle } from './bundle.ts';
import { catalogRoot } from './catalog-root.ts';

type BundleLayer = Bundle['layers'][number];

/** The layer's index with its pages, and the nodes of its catalog: a few blobs, which say of all others where they belong. */
export function catalogNodes(bundle: Bundle, layer: BundleLayer): Digest[] {
  const { pages } = parseJson(ListingIndex, textOf(bundle, layer.index)) ?? notOurs(layer.index);
  const { root, branches } = rootOf(bundle, layer);
  const leaves = [...pages, ...root.shards].map(({ digest }) => digest);
  return [layer.catalog, layer.index, ...branches, ...leaves];
}

/**
 * The blobs of skills that a deployment may lack: of those in shards that its standing catalog does not have. It took no
 * catalog of which anything was missing.
 */
export function changedBlobs(
  bundle: Bundle,
  layer: BundleLayer,
  own: readonly Digest[],
  standing: readonly Digest[],
): Digest[] {
  const there = new Set(standing);
  const shards = rootOf(bundle, layer).root.shards.map(({ digest }) => digest);
  const fresh = shards.filter((digest) => !there.has(digest));
  if (fresh.length === shards.length) return [...own];
  const ours = new Set(own);
  const entries = fresh.flatMap(
    (digest) => parseJson(CatalogShard, textOf(bundle, digest))?.entries ?? notOurs(digest),
  );
  const wanted = new Set<Digest>();
  for (const { revision, report, skillFile } of entries) {
    for (const digest of [revision, report, skillFile.sha256]) wanted.add(digest);
    if (!ours.has(revision)) continue;
    const { files } = parseJson(Revision, textOf(bundle, revision)) ?? notOurs(revision);
    for (const { sha256 } of files) wanted.add(sha256);
  }
  return own.filter((digest) => wanted.has(digest));
}

function rootOf(bundle: Bundle, { catalog }: BundleLayer) {
  return catalogRoot(catalog, (digest) => textOf(bundle, digest));
}

function textOf(bundle: Bundle, digest: Digest): string {
  return new TextDecoder().decode(bundle.read(digest));
}

function notOurs(digest: Digest): never {
  throw new Error(`the bundle has ${digest} in another shape: run "npm run build" again`);
}
