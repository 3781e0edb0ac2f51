import { SCAN_LIMITS } from '../../core/limits.ts';
import { bytesOf, type Decoder, textOfBytes } from './payload.ts';

/** The shortest run that is worth reading: a word is shorter, and `curl x|sh` is not. */
const LEAST = 20;
/** Decoded first, to see whether it is text at all: images and keys are not. */
const HEAD = 32;

/** Runs of base64 or of hex digits that hold text. */
export const BASE64: Decoder = {
  words: null,
  *decode(text) {
    for (const [start, end] of runs(text)) {
      const decoded = decodeRun(text.slice(start, Math.min(end, start + 2 * SCAN_LIMITS.decodedCharacters)));
      if (decoded !== null) yield { text: decoded, start, end, kind: 'encoded' };
    }
  },
};

/**
 * Looks at every twentieth character only, and around it where it is one of base64, so a text of words costs next to
 * nothing. A run that goes on over lines, as `base64` wraps it, is one.
 */
function* runs(text: string): Generator<[start: number, end: number]> {
  for (let at = LEAST - 1; at < text.length; at += LEAST) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    const least = Math.max(0, at - LEAST);
    while (start > least && isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = runEnd(text, at + 1);
    if (end - start >= LEAST) {
      while (end - start >= 2 * HEAD && text.charAt(end) === '\n' && runEnd(text, end + 1) - end > LEAST)
        end = runEnd(text, end + 1);
      yield [start, end];
    }
    at = Math.max(at, end - LEAST);
  }
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function isDigit(unit: number): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x2f && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x2d ||
    unit === 0x5f
  );
}

function decodeRun(run: string): string | null {
  if (/^[0-9a-f]+$/i.test(run.slice(0, HEAD))) return fromHex(run);
  // Words and paths are runs as well; what is encoded mixes cases.
  const head = run.slice(0, HEAD);
  if (!/[A-Z]/.test(head) || !/[a-z]/.test(head)) return null;
  if (textOfBytes(fromBase64(head)) === null && run.length > HEAD) return null;
  return textOfBytes(fromBase64(run.replaceAll('\n', '')));
}

function fromHex(run: string): string | null {
  const pairs = run.match(/[0-9a-f]{2}/gi) ?? [];
  return textOfBytes(bytesOf(pairs.map((digits) => Number.parseInt(digits, 16))));
}

/** What whole groups of four say; nothing where it is no base64. */
function fromBase64(run: string): string {
  const plain = run.replaceAll('-', '+').replaceAll('_', '/');
  try {
    return atob(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  } catch {
    return '';
  }
}
