import { hash } from 'node:crypto';

/** SHA-256 of some bytes, as it stands in every document of ours: `sha256:` and 64 lower-case hex digits. */
export type Digest = `sha256:${string}`;

const DIGEST = /^sha256:[0-9a-f]{64}$/;

export function isDigest(text: string): text is Digest {
  return DIGEST.test(text);
}

/**
 * Synchronous on purpose: workerd and Node both implement `node:crypto` natively, and WebCrypto's promise per
 * call costs more than the hash itself for the small inputs (tokens, catalog nodes) on the hot path.
 */
export function digestOf(content: Uint8Array | string): Digest {
  return `sha256:${hash('sha256', content, 'hex')}`;
}

/** The bare 64 hex digits, for storage keys. */
export function hexOf(digest: Digest): string {
  return digest.slice('sha256:'.length);
}
