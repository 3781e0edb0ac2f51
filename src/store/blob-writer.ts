import { hexOf } from '../core/digest.ts';
import type { BlobWriter } from '../publish/ports.ts';
import { blobKey } from './keys.ts';

/** A Worker has six connections at a time; a few more in line keep them busy. */
const AT_ONCE = 12;

/** Puts every blob into R2, which checks the digest again, and hot ones into KV as text beside it. */
export function blobWriter(env: Pick<Env, 'KV' | 'R2'>): BlobWriter {
  return {
    async write(space, blobs) {
      const queue = blobs.values();
      const work = async (): Promise<void> => {
        for (const { digest, bytes, tier } of queue) {
          const key = blobKey(space, digest);
          await Promise.all([
            env.R2.put(key, bytes, { sha256: hexOf(digest) }),
            ...(tier === 'hot' ? [env.KV.put(key, bytes)] : []),
          ]);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    },
  };
}
