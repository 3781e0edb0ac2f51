import { z } from 'zod';
import { DigestSchema } from '../catalog/revision.ts';
import { digestOf } from '../core/digest.ts';
import { REQUEST_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { NewBlob } from './ports.ts';

/**
 * Several blobs in one request body: the length of a JSON header (4 bytes, big endian), the header, then the blobs'
 * bytes one after the other. Compact, and nothing has to be decoded to find where a blob ends.
 */
export const BLOB_BATCH_TYPE = 'application/vnd.skilledge.blobs';

const Header = z.array(
  z.strictObject({ digest: DigestSchema, size: z.int().nonnegative(), tier: z.enum(['hot', 'cold']) }),
);

const LENGTH_BYTES = 4;

export function encodeBlobBatch(blobs: readonly NewBlob[]): Uint8Array<ArrayBuffer> {
  const header = new TextEncoder().encode(
    JSON.stringify(blobs.map(({ digest, bytes, tier }) => ({ digest, size: bytes.length, tier }))),
  );
  const size = blobs.reduce((sum, { bytes }) => sum + bytes.length, LENGTH_BYTES + header.length);
  const batch = new Uint8Array(size);
  new DataView(batch.buffer).setUint32(0, header.length);
  batch.set(header, LENGTH_BYTES);
  let offset = LENGTH_BYTES + header.length;
  for (const { bytes } of blobs) {
    batch.set(bytes, offset);
    offset += bytes.length;
  }
  return batch;
}

/** Takes a batch apart. Every blob must be what its digest says; one that is not refuses the whole batch. */
export function decodeBlobBatch(batch: Uint8Array): Result<NewBlob[]> {
  if (batch.length < LENGTH_BYTES) return fail(malformed('the body is too short'));
  const headerLength = new DataView(batch.buffer, batch.byteOffset).getUint32(0);
  if (headerLength > batch.length - LENGTH_BYTES)
    return fail(malformed('the header is longer than the body'));
  const header = readHeader(batch.subarray(LENGTH_BYTES, LENGTH_BYTES + headerLength));
  if (!header) return fail(malformed('the header is not a list of {digest, size, tier}'));
  if (header.length > REQUEST_LIMITS.pushBlobs)
    return fail(malformed(`more than ${REQUEST_LIMITS.pushBlobs} blobs`));
  const blobs: NewBlob[] = [];
  let offset = LENGTH_BYTES + headerLength;
  for (const { digest, size, tier } of header) {
    const bytes = batch.subarray(offset, offset + size);
    offset += size;
    if (size > SKILL_LIMITS.fileBytes) {
      return fail({
        code: 'blob_too_large',
        detail: `${digest} has ${size} bytes`,
        hint: `A blob has at most ${SKILL_LIMITS.fileBytes}.`,
      });
    }
    if (bytes.length !== size || digestOf(bytes) !== digest) {
      return fail({
        code: 'digest_mismatch',
        detail: `the bytes sent for ${digest} are not that blob`,
        hint: 'Build again, then push again.',
      });
    }
    blobs.push({ digest, bytes, tier });
  }
  return offset === batch.length ? ok(blobs) : fail(malformed('bytes are left over after the last blob'));
}

function readHeader(bytes: Uint8Array): z.infer<typeof Header> | null {
  try {
    return Header.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    return null;
  }
}

function malformed(detail: string): Problem {
  return { code: 'push_invalid', detail, hint: `Send ${BLOB_BATCH_TYPE}: length, header, bytes.` };
}
