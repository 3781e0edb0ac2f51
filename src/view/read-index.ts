import type { Space } from '../catalog/layers.ts';
import { type IndexEntry, IndexPage, ListingIndex } from '../catalog/listing-index.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { documentKind } from './json-document.ts';
import type { BlobStore } from './ports.ts';
import type { Head } from './view-record.ts';

export const INDEX = documentKind(ListingIndex, CATALOG_LIMITS.indexBytes);
export const INDEX_PAGE = documentKind(IndexPage, CATALOG_LIMITS.indexBytes);

/** The pages of some layers' listing indexes, all in one read; null where one of a layer's cannot be read. */
export async function readIndexPages(
  blobs: BlobStore,
  layers: readonly { readonly space: Space; readonly head: Pick<Head, 'index' | 'pages'> }[],
): Promise<(IndexPage[] | null)[]> {
  const wanted = layers.flatMap(({ space, head }) => pageDigests(head).map((digest) => ({ space, digest })));
  const read = await blobs.readDocuments(wanted, INDEX_PAGE);
  let next = 0;
  return layers.map(({ head }) => {
    const from = next;
    next += pageDigests(head).length;
    const pages = read.slice(from, next).filter((page) => page !== null);
    return pages.length === next - from ? pages : null;
  });
}

function pageDigests({ index, pages }: Pick<Head, 'index' | 'pages'>): readonly Head['index'][] {
  return pages?.map(({ digest }) => digest) ?? [index];
}

export function entriesOf(pages: readonly IndexPage[]): IndexEntry[] {
  return pages.flatMap(({ entries }) => entries);
}
