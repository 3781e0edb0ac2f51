import type { Space } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';

/**
 * Content-addressed reads. Bytes are checked against their digest before they are returned, and never served otherwise.
 * `null`: no such blob in this space.
 */
export interface BlobStore {
  readMany(wanted: readonly { space: Space; digest: Digest }[]): Promise<(Uint8Array | null)[]>;
}
