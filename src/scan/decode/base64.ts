import { SCAN_LIMITS } from '../../core/limits.ts';
import { bytesOf, type Decoder, textOfBytes } from './payload.ts';

/** The shortest run that is worth reading: a word is shorter, and `curl x|sh` is not. */
const LEAST = 24;
/** Decoded first, to see whether it is text at all: images and keys are not. */
const HEAD = 32;

const DIGITS = new Uint8Array(256);
for (const digit of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  DIGITS[digit.charCodeAt(0)] = 1;

/** Runs of base64 or of hex digits that hold text. */
export const BASE64: Decoder = {
  words: [],
  /**
   * Looks at every twenty-fourth byte only, and around it where it is one of base64, so a text of words costs next to
   * nothing.
   */
  find(bytes, found) {
    const { length } = bytes;
    for (let at = LEAST - 1; at < length; at += LEAST) {
      if (!isInRun(bytes, at, length)) continue;
      let start = at;
      const least = Math.max(0, at - LEAST);
      while (start > least && isDigit(bytes, start - 1)) start -= 1;
      let end = at + 1;
      while (end < length && isDigit(bytes, end)) end += 1;
      if (end - start >= LEAST && mayBeEncoded(bytes, start, Math.min(end, start + HEAD))) found(end);
      at = Math.max(at, end - LEAST);
    }
  },
  *decode(text, places) {
    let done = 0;
    for (const place of places) {
      if (place <= done) continue;
      let start = place;
      while (start > done && isDigitOf(text, start - 1)) start -= 1;
      let end = place;
      // A run that goes on over lines, as `base64` wraps it, is one.
      while (end - start >= 2 * HEAD && text.charAt(end) === '\n' && runEnd(text, end + 1) - end > LEAST)
        end = runEnd(text, end + 1);
      done = end;
      const decoded = decodeRun(text.slice(start, Math.min(end, start + 2 * SCAN_LIMITS.decodedCharacters)));
      if (decoded !== null) yield { text: decoded, start, end, kind: 'encoded' };
    }
  },
};

function isDigit(bytes: Uint8Array, at: number): boolean {
  return DIGITS[bytes[at] ?? 0] === 1;
}

/**
 * Whether some bytes around an offset are digits: a run around it has twelve bytes more on one of its sides, and few words
 * are as long. Without a branch for each of them, which no processor could foresee.
 */
function isInRun(bytes: Uint8Array, at: number, length: number): boolean {
  const before =
    (DIGITS[bytes[at - 4] ?? 0] ?? 0) &
    (DIGITS[bytes[at - 8] ?? 0] ?? 0) &
    (DIGITS[bytes[at - 12] ?? 0] ?? 0);
  const behind =
    at + 12 < length
      ? (DIGITS[bytes[at + 4] ?? 0] ?? 0) &
        (DIGITS[bytes[at + 8] ?? 0] ?? 0) &
        (DIGITS[bytes[at + 12] ?? 0] ?? 0)
      : 0;
  return ((DIGITS[bytes[at] ?? 0] ?? 0) & (before | behind)) !== 0;
}

function isDigitOf(text: string, at: number): boolean {
  return DIGITS[text.charCodeAt(at)] === 1;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigitOf(text, end)) end += 1;
  return end;
}

/** Words and paths are runs as well; what is encoded mixes cases, or is of hex digits alone. */
function mayBeEncoded(bytes: Uint8Array, start: number, end: number): boolean {
  let [upper, lower, hex] = [false, false, true];
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x41 && byte <= 0x5a) upper = true;
    else if (byte >= 0x61 && byte <= 0x7a) lower = true;
    if (!(byte >= 0x30 && byte <= 0x39) && !((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)) hex = false;
  }
  return hex || (upper && lower);
}

function decodeRun(run: string): string | null {
  const head = run.slice(0, HEAD);
  // Digests are by far the most frequent.
  if (/^[0-9a-f]+$/i.test(head)) return fromHex(head) === null ? null : fromHex(run);
  if (run.length > HEAD && textOfBytes(fromBase64(head)) === null) return null;
  return textOfBytes(fromBase64(run.replaceAll('\n', '')));
}

function fromHex(run: string): string | null {
  const pairs = run.match(/[0-9a-f]{2}/gi) ?? [];
  return textOfBytes(bytesOf(pairs.map((digits) => Number.parseInt(digits, 16))));
}

/** What it says; nothing where it is no base64. */
function fromBase64(run: string): string {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/');
  try {
    return atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  } catch {
    return '';
  }
}
