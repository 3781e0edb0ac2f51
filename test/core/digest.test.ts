import { describe, expect, it } from 'vitest';
import { digestOf, hexOf, isDigest } from '../../src/core/digest.ts';

describe('digests', () => {
  it('are SHA-256, of text as UTF-8', () => {
    // The well-known test vector of FIPS 180-2 for "abc".
    const abc = 'sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect(digestOf('abc')).toBe(abc);
    expect(digestOf(new TextEncoder().encode('abc'))).toBe(abc);
    expect(digestOf('ä')).toBe(digestOf(new Uint8Array([0xc3, 0xa4])));
  });

  it('are recognised by their exact form', () => {
    const digest = digestOf('');
    expect(isDigest(digest)).toBe(true);
    expect(hexOf(digest)).toHaveLength(64);
    for (const wrong of [
      '',
      hexOf(digest),
      digest.toUpperCase(),
      `${digest}0`,
      digest.slice(0, -1),
      ` ${digest}`,
    ]) {
      expect(isDigest(wrong)).toBe(false);
    }
  });
});
