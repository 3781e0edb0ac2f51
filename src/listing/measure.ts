import { Buffer } from 'node:buffer';
import { LISTING_LIMITS } from '../core/limits.ts';
import { cutText, graphemeBoundary } from './grapheme-cut.ts';

/** What a listing's size is counted in. */
export interface Measure {
  size(text: string): number;
  /** The text in at most so many, cut between two graphemes, `…` included. */
  cut(text: string, limit: number): string;
}

/** UTF-16 units. */
export const CHARACTERS: Measure = { size: (text) => text.length, cut: cutText };

/** Bytes of UTF-8: a fourth of them is what some systems call a token. */
export const BYTES: Measure = { size: (text) => Buffer.byteLength(text), cut: cutToBytes };

/** A fourth of the bytes: near enough for English, and high for most other scripts. */
export function estimatedTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / LISTING_LIMITS.bytesPerToken);
}

const ELLIPSIS = '…';
const encoder = new TextEncoder();

function cutToBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = Math.floor(limit) - Buffer.byteLength(ELLIPSIS);
  if (!(room >= 0)) return '';
  const { read } = encoder.encodeInto(text, new Uint8Array(room));
  return text.slice(0, graphemeBoundary(text, read)) + ELLIPSIS;
}
