import { describe, expect, it } from 'vitest';
import { isPlainText, plainText } from '../../src/core/plain-text.ts';

describe('plain text', () => {
  it.each(['review', 'dir/sub:name', 'Überprüfen 确认', ''])('%j is plain', (text) => {
    expect(isPlainText(text)).toBe(true);
    expect(plainText(text)).toBe(text);
  });

  it.each(['a\nb', 'a\u0000', '\u007f', 'a\u0085b', '\u2028', '\u2029', '\ud800'])('%j is not', (text) => {
    expect(isPlainText(text)).toBe(false);
    expect(isPlainText(plainText(text))).toBe(true);
    // Twice in a row: a pattern that remembers where it stopped would answer differently.
    expect(isPlainText(text)).toBe(false);
  });
});
