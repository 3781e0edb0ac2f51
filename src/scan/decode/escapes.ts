import { bytesOf, type Decoder, type Payload, textOfBytes } from './payload.ts';

/** Characters written as their numbers: escapes of programs, of URLs and of markup, and lists of numbers. */
export const ESCAPES: readonly Decoder[] = [
  decoder(['\\x2', '\\x3', '\\x4', '\\x5', '\\x6', '\\x7'], /(?:\\x[0-9a-f]{2}){6,}/gi, /[0-9a-f]{2}/gi, 16),
  decoder(['\\u00', '\\u{'], /(?:\\u00[0-9a-f]{2}|\\u\{[0-9a-f]{2}\}){6,}/gi, /[0-9a-f]{2}(?=\\|\}|$)/gi, 16),
  decoder(['\\14', '\\15', '\\16', '\\05', '\\06'], /(?:\\[01][0-7]{2}){6,}/g, /[01][0-7]{2}/g, 8),
  decoder(['&#x'], /(?:&#x[0-9a-f]{2};){6,}/gi, /[0-9a-f]{2}(?=;)/gi, 16),
  decoder(['&#1', '&#9', '&#3'], /(?:&#\d{2,3};){6,}/g, /\d{2,3}/g, 10),
  decoder(
    ['charcode', 'bytes(', 'bytearray(', 'byte[]', 'chr'],
    /\b(?:\d{2,3}, ?){8,}\d{2,3}\b/g,
    /\d{2,3}/g,
    10,
  ),
  decoder(
    ['charcode', 'bytes(', 'bytearray(', 'byte[]'],
    /\b(?:0x[0-9a-f]{2}, ?){8,}0x[0-9a-f]{2}\b/gi,
    /[0-9a-f]{2}\b/gi,
    16,
  ),
  decoder(['chr('], /(?:chr\(\d{2,3}\)\s?[.+&]\s?){4,}chr\(\d{2,3}\)/gi, /\d{2,3}/g, 10),
  {
    words: ['%20', '%2f', '%3a', '%61', '%63', '%65', '%68', '%69', '%72', '%73', '%74'],
    *decode(text) {
      for (const match of text.matchAll(/(?:%[0-9a-f]{2}[\w.~/-]{0,3}){6,}/gi)) {
        const decoded = match[0].replaceAll(/%([0-9a-f]{2})/gi, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 16)),
        );
        yield* encoded(match, decoded);
      }
    },
  },
];

function decoder(words: readonly string[], run: RegExp, number: RegExp, base: number): Decoder {
  return {
    words,
    *decode(text) {
      for (const match of text.matchAll(run)) {
        const codes = match[0].match(number) ?? [];
        yield* encoded(match, bytesOf(codes.map((digits) => Number.parseInt(digits, base))));
      }
    },
  };
}

function* encoded(match: RegExpExecArray, bytes: string): Generator<Payload> {
  const text = textOfBytes(bytes);
  if (text !== null) yield { text, start: match.index, end: match.index + match[0].length, kind: 'encoded' };
}
