import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { decodeBlobBatch, encodeBlobBatch } from '../../src/publish/blob-batch.ts';

const blob = fc
  .tuple(fc.uint8Array({ maxLength: 50 }), fc.constantFrom('hot' as const, 'cold' as const))
  .map(([bytes, tier]) => ({ digest: digestOf(bytes), bytes, tier }));

describe('a batch of blobs', () => {
  it('comes back as it was sent, also from the middle of a buffer', () => {
    fc.assert(
      fc.property(fc.array(blob, { maxLength: 8 }), fc.nat(16), (blobs, offset) => {
        const encoded = encodeBlobBatch(blobs);
        const buffer = new Uint8Array(encoded.length + offset);
        buffer.set(encoded, offset);
        expect(decodeBlobBatch(buffer.subarray(offset))).toEqual({ ok: true, value: blobs });
      }),
      { numRuns: 500 },
    );
  });

  it('is refused when any one byte of it is another', () => {
    const encoded = encodeBlobBatch([
      { digest: digestOf('one'), bytes: new TextEncoder().encode('one'), tier: 'hot' },
      { digest: digestOf('two'), bytes: new TextEncoder().encode('two'), tier: 'cold' },
    ]);
    // "hot" and "cold" are not covered by a digest; everything else is.
    const tiers = [...new TextDecoder().decode(encoded).matchAll(/"(?:hot|cold)"/g)].map(({ index }) => [
      index,
      index + 6,
    ]);
    for (const position of encoded.keys()) {
      if (tiers.some(([start = 0, end = 0]) => position >= start && position < end)) continue;
      const changed = encoded.slice();
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect([position, decodeBlobBatch(changed).ok]).toEqual([position, false]);
    }
    for (const length of encoded.keys()) expect(decodeBlobBatch(encoded.subarray(0, length)).ok).toBe(false);
  });

  it('has its bounds', () => {
    const large = new Uint8Array(8 * 1024 * 1024 + 1);
    const batch = encodeBlobBatch([{ digest: digestOf(large), bytes: large, tier: 'cold' }]);
    expect(decodeBlobBatch(batch)).toMatchObject({ error: { code: 'blob_too_large' } });
    const empty = { digest: digestOf(''), bytes: new Uint8Array(), tier: 'hot' as const };
    const many = encodeBlobBatch(Array.from({ length: 401 }, () => empty));
    expect(decodeBlobBatch(many)).toMatchObject({ error: { code: 'push_invalid' } });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(typeof decodeBlobBatch(bytes).ok).toBe('boolean');
      }),
      { numRuns: 2_000 },
    );
  });
});
