import type { Layer } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import type { BlobStore, WantedBlob } from '../view/ports.ts';
import type { Head } from '../view/view-record.ts';
import type { PushPorts } from './ports.ts';

/**
 * What was pushed to one layer, and nothing else of its space: whoever names a file of a layer that is not his is told as much
 * as if it were nowhere, and cannot publish it as his own. What the layer stands at need not be asked about.
 */
export function pushedBlobs(
  { blobs, catalogs }: Pick<PushPorts, 'blobs' | 'catalogs'>,
  organisation: string,
  layer: Layer,
  before: Head | null,
): BlobStore {
  const standing = new Set([...(before?.shards ?? []), ...(before?.pages ?? [])].map(({ digest }) => digest));
  const absent = async (wanted: readonly WantedBlob[]): Promise<ReadonlySet<Digest>> => {
    const asked = new Set(wanted.map(({ digest }) => digest).filter((digest) => !standing.has(digest)));
    return new Set(asked.size === 0 ? [] : await catalogs.missing(layer, organisation, [...asked]));
  };
  const only = async <Value>(wanted: readonly WantedBlob[], read: Promise<(Value | null)[]>) => {
    const [found, unknown] = await Promise.all([read, absent(wanted)]);
    return wanted.map(({ digest }, at) => (unknown.has(digest) ? null : (found[at] ?? null)));
  };
  return {
    readMany: (wanted) => only(wanted, blobs.readMany(wanted)),
    readDocuments: (wanted, kind) => only(wanted, blobs.readDocuments(wanted, kind)),
  };
}
