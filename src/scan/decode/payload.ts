import { Buffer } from 'node:buffer';
import type { Places } from '../places.ts';

/** A text that stood disguised in another one, and where. */
export interface Payload {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /**
   * `encoded`: as nobody reads it without decoding. `plain`: the same text without what disguised it, such as characters
   * that show nothing or a word in pieces; what is around it counts as it did.
   */
  readonly kind: 'encoded' | 'plain';
}

export interface Decoder {
  /** Lower-case words or beginnings of characters that show where there is something to decode. */
  readonly words: readonly (string | Uint8Array)[];
  /** Finds more such places in the bytes of a text: where they end, ascending. */
  find?(bytes: Uint8Array, found: (end: number) => void): void;
  /** `places`: where the words, or what was found, end in the text, ascending. */
  decode(text: string, places: Places): Iterable<Payload>;
}

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A character of several bytes whose last ones are missing: what is decoded may be the beginning of something longer. */
const CUT = /[\u00c2-\u00df]$|[\u00e0-\u00ef][\u0080-\u00bf]?$|[\u00f0-\u00f4][\u0080-\u00bf]{0,2}$/;

/** Text of bytes that are printable UTF-8; null for anything else. Bytes come one a character, as `atob` gives them. */
export function textOfBytes(bytes: string): string | null {
  if (bytes.length < 8) return null;
  // oxlint-disable-next-line no-control-regex -- what no text has
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(bytes)) return null;
  if (!/[a-z]{2}|[\u0080-\u00ff]{3}/i.test(bytes)) return null;
  try {
    return STRICT.decode(Buffer.from(bytes.replace(CUT, ''), 'latin1'));
  } catch {
    return null;
  }
}

export function bytesOf(codes: readonly number[]): string {
  return Buffer.from(codes).toString('latin1');
}
