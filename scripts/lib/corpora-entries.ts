import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { compileSources } from '../../src/compile/compile-layer.ts';
import { treeLayout } from '../../src/compile/layouts/tree.ts';
import type { Digest } from '../../src/core/digest.ts';
import { catalogRoot } from './catalog-root.ts';
import { diskTree } from './disk-tree.ts';
import { mountTree } from './mount-tree.ts';

export interface CompiledCorpora {
  readonly entries: readonly CatalogEntry[];
  readonly read: (digest: Digest) => Uint8Array;
}

/** Compiles some folders of skills as one layer, in memory; null where they do not exist. */
export async function compileCorpora(
  root: string,
  names: readonly string[],
): Promise<CompiledCorpora | null> {
  if (!existsSync(root) || names.some((name) => !readdirSync(root).includes(name))) return null;
  const blobs = new Map<Digest, Uint8Array>();
  const sources = names.map((name) => ({
    tree: mountTree(diskTree(join(root, name)), name),
    layout: treeLayout,
    trust: 'trusted' as const,
    root: name,
  }));
  const layer = await compileSources('org', sources, {
    put(digest, bytes, tier) {
      if (tier === 'hot') blobs.set(digest, bytes);
    },
  });
  const read = (digest: Digest): Uint8Array => {
    const bytes = blobs.get(digest);
    if (!bytes) throw new Error(`not compiled: ${digest}`);
    return bytes;
  };
  const textOf = (digest: Digest): string => new TextDecoder().decode(read(digest));
  const { shards } = catalogRoot(layer.catalog, textOf).root;
  const entries = shards.flatMap(({ digest }) => CatalogShard.parse(JSON.parse(textOf(digest))).entries);
  return { entries, read };
}
