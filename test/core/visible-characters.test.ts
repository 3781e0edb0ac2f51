import { describe, expect, it } from 'vitest';
import { visibleCharacters } from '../../src/core/visible-characters.ts';

describe('visibleCharacters', () => {
  it.each([
    ['Grüße, 世界 🙂', 'Grüße, 世界 🙂'],
    ['two\r\nlines\u2028three', 'two\\u{000d}\\u{000a}lines\\u{2028}three'],
    ['\u001b[31mred\u0007', '\\u{001b}[31mred\\u{0007}'],
    ['a\u202eb\u200bc\u{e0041}', 'a\\u{202e}b\\u{200b}c\\u{e0041}'],
  ])('%j', (text, visible) => {
    expect(visibleCharacters(text)).toBe(visible);
  });
});
