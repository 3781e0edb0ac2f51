import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { changeCatalog, type EntryChange } from '../catalog/change-catalog.ts';
import { type Layer, spaceOf } from '../catalog/layers.ts';
import { leafFor } from '../catalog/leaves.ts';
import { changeListingIndex } from '../catalog/listing-index.ts';
import { findEntry } from '../catalog/merkle-catalog.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { SHARD } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import { entriesOf, readIndexPages } from '../view/read-index.ts';
import { readBranches } from '../view/read-root.ts';
import type { Head } from '../view/view-record.ts';
import type { HeadMove, NewBlob } from './ports.ts';

export type HeadTarget = HeadMove['head'];

/** The row of each name where a layer stands; null where it has none. */
export async function standingEntries(
  blobs: BlobStore,
  layer: Layer,
  organisation: string,
  head: Pick<Head, 'shards'> | null,
  names: readonly string[],
): Promise<Result<(CatalogEntry | null)[]>> {
  const space = spaceOf(layer, organisation);
  const references = names.map((name) => head && leafFor(head.shards, name));
  const wanted = [...new Set(references.flatMap((reference) => reference?.digest ?? []))];
  const shards = await blobs.readDocuments(
    wanted.map((digest) => ({ space, digest })),
    SHARD,
  );
  if (shards.includes(null)) return fail(unreadableLayer(layer));
  return ok(
    names.map((name, at) => {
      const shard = shards[wanted.findIndex((digest) => digest === references[at]?.digest)];
      return shard ? findEntry(shard, name) : null;
    }),
  );
}

/** Where a head would move to with some changes, and the documents that this needs: shards, branches, a root and an index. */
export async function changedLayer(
  blobs: BlobStore,
  layer: Layer,
  organisation: string,
  head: HeadTarget | null,
  changes: readonly EntryChange[],
): Promise<Result<{ head: HeadTarget; nodes: NewBlob[] }>> {
  const space = spaceOf(layer, organisation);
  const standing = { shards: head?.shards ?? [], gates: head?.gates ?? {} };
  const [[pages], catalog] = await Promise.all([
    head ? readIndexPages(blobs, [{ space, head }]) : [[]],
    changeCatalog(layer, standing, changes, (references) =>
      blobs.readDocuments(
        references.map(({ digest }) => ({ space, digest })),
        SHARD,
      ),
    ),
  ]);
  if (!pages || !catalog) return fail(unreadableLayer(layer));
  const { root, branches, shards, gates } = catalog;
  const entries = shards.reduce((sum, { count }) => sum + count, 0);
  if (entries > CATALOG_LIMITS.entries) {
    return fail({
      code: 'push_invalid',
      detail: `${layer} would have ${entries} skills, more than ${CATALOG_LIMITS.entries}`,
      hint: 'Withdraw some, or publish to another layer.',
    });
  }
  const names = new Set(changes.map(({ name }) => name));
  const added = changes.flatMap(({ entry }) => entry ?? []);
  const listing = changeListingIndex(entriesOf(pages), names, added);
  // A root that has none itself may follow one that has them, and the other way round.
  const branchesBefore = head && branches.length > 0 ? await readBranches(blobs, space, head.catalog) : [];
  const known = new Set([...branchesBefore, ...(head?.pages ?? []).map(({ digest }) => digest)]);
  const parts = [...branches, ...listing.pages].filter(({ digest }) => !known.has(digest));
  const nodes = [...catalog.fresh, ...parts, root, listing.root].map(({ digest, text }): NewBlob => ({
    digest,
    bytes: new TextEncoder().encode(text),
    tier: 'hot',
  }));
  return ok({
    head: {
      catalog: root.digest,
      index: listing.root.digest,
      pages: listing.references,
      entries,
      shards,
      gates,
    },
    nodes,
  });
}

function unreadableLayer(layer: Layer) {
  return {
    code: 'storage_unavailable' as const,
    detail: `the catalog of ${layer} cannot be read now`,
    hint: 'Try again in a few seconds.',
  };
}
