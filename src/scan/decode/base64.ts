import { SCAN_LIMITS } from '../../core/limits.ts';
import { bytesOf, type Decoder, textOfBytes } from './payload.ts';

/** The shortest run that is worth reading: a word is shorter, and `curl x|sh` is not. */
const LEAST = 24;
/** Decoded first, to see whether it is text at all: images and keys are not. */
const HEAD = 32;

/** Which bytes are digits of base64, in either of its alphabets, and what each is worth. */
const DIGITS = new Uint8Array(256);
const VALUES = new Uint8Array(256);
for (const last of ['+/', '-_'])
  for (const [value, digit] of [
    ...`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${last}`,
  ].entries()) {
    DIGITS[digit.charCodeAt(0)] = 1;
    VALUES[digit.charCodeAt(0)] = value;
  }

/** Runs of base64 or of hex digits that hold text. */
export const BASE64: Decoder = {
  words: [],
  /**
   * A run is as long as what it is looked for in steps of: from the last byte of such a step backwards, the first that is
   * none of base64 is where the next step begins. So of a text of words few bytes are looked at.
   */
  find(bytes, found) {
    const { length } = bytes;
    // No run begins in front of this.
    let least = 0;
    for (let at = LEAST - 1; at < length; at = least + LEAST - 1) {
      let start = at;
      while (start >= least && DIGITS[bytes[start] ?? 0] === 1) start -= 1;
      if (start >= least) {
        least = start + 1;
        continue;
      }
      let end = at + 1;
      while (end < length && DIGITS[bytes[end] ?? 0] === 1) end += 1;
      if (mayBeEncoded(bytes, least, Math.min(end, least + HEAD))) found(end);
      least = end + 1;
    }
  },
  *decode(text, places) {
    let done = 0;
    for (let place = places.next(done); place !== null; place = places.next(done)) {
      let start = place;
      while (start > done && isDigitOf(text, start - 1)) start -= 1;
      let end = place;
      // A run that goes on over lines, as `base64` wraps it, is one.
      while (end - start >= 2 * HEAD && text.charAt(end) === '\n' && runEnd(text, end + 1) - end > LEAST)
        end = runEnd(text, end + 1);
      done = end;
      if (!mayBeText(text, start)) continue;
      const decoded = decodeRun(text.slice(start, Math.min(end, start + 2 * SCAN_LIMITS.decodedCharacters)));
      if (decoded !== null) yield { text: decoded, start, end, kind: 'encoded' };
    }
  },
};

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

/** Whether the first bytes of a run could be of a text; most have one that no text has, and need not be decoded. */
function mayBeText(text: string, start: number): boolean {
  return HEX_HEAD.test(text.slice(start, start + LEAST)) || !hasControl(text, start);
}
const HEX_HEAD = /^[0-9a-f]+$/i;

function hasControl(text: string, start: number): boolean {
  for (let at = start; at < start + LEAST; at += 4) {
    const three =
      (valueAt(text, at) << 18) |
      (valueAt(text, at + 1) << 12) |
      (valueAt(text, at + 2) << 6) |
      valueAt(text, at + 3);
    if (isControl(three >> 16) || isControl((three >> 8) & 0xff) || isControl(three & 0xff)) return true;
  }
  return false;
}

function valueAt(text: string, at: number): number {
  return VALUES[text.charCodeAt(at)] ?? 0;
}

/** As in what `textOfBytes` takes for no text. */
function isControl(byte: number): boolean {
  return byte === 0x7f || (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d);
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
