import { expect, test } from 'vitest';
import { isText, textOf } from '../../src/core/text-bytes.ts';

test.each<[string, number[], string | null]>([
  ['nothing', [], ''],
  ['ASCII', [0x61, 0x0a], 'a\n'],
  ['UTF-8', [0xc3, 0xbc], 'ü'],
  ['a BOM', [0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
  ['a NUL', [0x61, 0], null],
  ['half a character', [0x61, 0xc3], null],
  ['Latin-1', [0xfc, 0x61], null],
  ['half a surrogate pair', [0xed, 0xa0, 0x80], null],
])('%s', (_, bytes, text) => {
  expect(textOf(Uint8Array.from(bytes))).toBe(text);
  expect(isText(Uint8Array.from(bytes))).toBe(text !== null);
});
