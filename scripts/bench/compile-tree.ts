import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { ListingIndex } from '../../src/catalog/listing-index.ts';
import { CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import { type BlobTier, compileLayer } from '../../src/compile/compile-layer.ts';
import type { SourceTree } from '../../src/compile/source-tree.ts';
import type { Digest } from '../../src/core/digest.ts';
import type { Head } from '../../src/view/view-record.ts';
import type { Bundle } from '../lib/bundle.ts';
import { catalogRoot } from '../lib/catalog-root.ts';

/** The layer that everything is in. */
export const LAYER = 'org';

export interface Blob {
  readonly bytes: Uint8Array;
  readonly tier: BlobTier;
}

export interface Compiled {
  readonly head: Omit<Head, 'sequence'>;
  readonly entries: readonly CatalogEntry[];
  /** Catalog root, branches, shards, and the listing index with its pages. */
  readonly nodes: ReadonlyMap<Digest, Blob>;
}

/** Compiles a tree as a build does. What its skills are made of is given away at once: 100,000 are not kept in memory. */
export async function compileTree(
  tree: SourceTree,
  put: (digest: Digest, blob: Blob) => void,
  progress: (done: number, all: number) => void = () => {},
): Promise<Compiled> {
  const nodes = new Map<Digest, Blob>();
  let skillsAreThere = false;
  const { catalog, index } = await compileLayer(
    LAYER,
    tree,
    {
      put(digest, bytes, tier) {
        if (skillsAreThere) nodes.set(digest, { bytes, tier });
        else put(digest, { bytes, tier });
      },
    },
    {
      progress(done, all) {
        skillsAreThere = done === all;
        progress(done, all);
      },
    },
  );
  const textOf = (digest: Digest): string => new TextDecoder().decode(nodes.get(digest)?.bytes);
  const parse = (digest: Digest): unknown => JSON.parse(textOf(digest));
  const { entries: count, shards, gates } = catalogRoot(catalog, textOf).root;
  const { pages } = ListingIndex.parse(parse(index));
  return {
    head: { catalog, index, pages, entries: count, shards, gates },
    entries: shards.flatMap(({ digest }) => CatalogShard.parse(parse(digest)).entries),
    nodes,
  };
}

/** What `npm run build` would have written of it, with these blobs. */
export function memoryBundle({ head }: Pick<Compiled, 'head'>, blobs: ReadonlyMap<Digest, Blob>): Bundle {
  const { catalog, index, entries: skills } = head;
  return {
    layers: [
      { layer: LAYER, catalog, index, skills, blobs: Array.from({ length: blobs.size }, (_, at) => at) },
    ],
    blobs: [...blobs].map(([digest, { bytes, tier }]) => ({ digest, size: bytes.length, tier })),
    read(digest) {
      const blob = blobs.get(digest);
      if (!blob) throw new Error(`not compiled: ${digest}`);
      return blob.bytes;
    },
    close() {},
  };
}
