import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import type { Layer } from '../../src/catalog/layers.ts';
import { buildListingIndex } from '../../src/catalog/listing-index.ts';
import { buildCatalog, CatalogRoot } from '../../src/catalog/merkle-catalog.ts';
import { type Digest, digestOf } from '../../src/core/digest.ts';
import { OrgSettings } from '../../src/view/settings/org-settings.ts';
import type { BlobStore } from '../../src/view/ports.ts';
import type { UsageSnapshot } from '../../src/view/usage-snapshot.ts';
import { assembleView } from '../../src/view/view.ts';
import { entry } from '../catalog/entries.ts';

/** A row of its own: namesakes in two layers are different skills. */
export const of = (name: string, layer = 'org', more: Partial<CatalogEntry> = {}): CatalogEntry =>
  entry(name, { revision: digestOf(`${layer} ${name}`), ...more });

/** A view over layers that are held in memory, `org` among them. */
export function viewOver(
  layers: readonly (readonly [Layer, readonly CatalogEntry[]])[],
  settings: Record<string, unknown> = {},
  usage?: UsageSnapshot,
) {
  const texts = new Map<Digest, string>();
  const records = layers.map(([layer, entries]) => {
    const { root, shards } = buildCatalog(layer, entries);
    const index = buildListingIndex(entries);
    for (const { digest, text } of [...shards, ...index.pages]) texts.set(digest, text);
    const { entries: count, shards: references } = CatalogRoot.parse(JSON.parse(root.text));
    const head = {
      sequence: 1,
      catalog: root.digest,
      index: index.root.digest,
      pages: index.references,
      entries: count,
      shards: references,
    };
    return {
      version: 1 as const,
      layer,
      head,
      settings: layer === 'org' ? OrgSettings.parse(settings) : null,
      ...(layer === 'org' && usage ? { usage } : {}),
    };
  });
  const blobs: BlobStore = {
    readMany: async () => [],
    readDocuments: async (wanted, kind) => wanted.map(({ digest }) => kind.parse(texts.get(digest) ?? '')),
  };
  return { view: assembleView('acme', records), blobs };
}
