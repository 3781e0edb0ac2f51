import type { Layer } from '../../src/catalog/layers.ts';
import { ListingIndex } from '../../src/catalog/listing-index.ts';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import type { TokenCounter } from '../../src/catalog/token-counts.ts';
import type { Digest } from '../../src/core/digest.ts';
import type { BlobStore } from '../../src/view/ports.ts';
import { assembleView, type View } from '../../src/view/view.ts';
import { catalogRoot } from './catalog-root.ts';
import { diskTree } from './disk-tree.ts';

/** Folders compiled in memory, as a request would see them once they were pushed. */
export async function memoryView(
  sources: readonly { readonly layer: Layer; readonly directory: string }[],
  progress: (done: number, all: number) => void,
  counter: TokenCounter | null = null,
): Promise<{ view: View; blobs: BlobStore }> {
  const texts = new Map<Digest, Uint8Array>();
  const textOf = (digest: Digest): string => new TextDecoder().decode(texts.get(digest));
  const records = [];
  for (const { layer, directory } of sources) {
    const compiled = await compileLayer(
      layer,
      diskTree(directory),
      { put: (digest, bytes, tier) => void (tier === 'hot' && texts.set(digest, bytes)) },
      { progress, counter },
    );
    const { entries, shards } = catalogRoot(compiled.catalog, textOf).root;
    const { pages } = ListingIndex.parse(JSON.parse(textOf(compiled.index)));
    const head = { sequence: 1, catalog: compiled.catalog, index: compiled.index, pages, entries, shards };
    records.push({ version: 1 as const, layer, head, settings: null });
  }
  const blobs: BlobStore = {
    readMany: async () => [],
    readDocuments: async (wanted, kind) => wanted.map(({ digest }) => kind.parse(textOf(digest))),
  };
  return { view: assembleView('here', records), blobs };
}
