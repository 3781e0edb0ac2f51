import { expect, test } from 'vitest';
import { cleanText, withoutSecrets } from '../../src/tool/clean-text.ts';

test.each<[string, string, string]>([
  ['plain text stays', 'a\tb\nc é 😀', 'a\tb\nc é 😀'],
  ['line ends of Windows', 'a\r\nb\rc', 'a\nbc'],
  ['what a terminal acts on', '\u001b[31ma\u0000\u009b', '[31ma'],
  ['zero-width and bidirectional characters', 'a\u200b\u202eb\ufeff\u2066c', 'abc'],
  ['tag characters', `a${String.fromCodePoint(0xe0041, 0xe007f)}b`, 'ab'],
  ['half a surrogate pair', 'a\ud800b', 'ab'],
])('%s', (_, text, clean) => {
  expect(cleanText(text)).toBe(clean);
});

test('secrets are taken out wherever they stand, and as JSON writes them', () => {
  const secrets = ['tok-1', 'with "quotes" and \\'];
  const text = `tok-1 tok-1tok-1 ${secrets[1]} ${JSON.stringify({ key: secrets[1] })} tok-2`;
  expect(withoutSecrets(text, secrets)).toBe('[secret] [secret][secret] [secret] {"key":"[secret]"} tok-2');
});
