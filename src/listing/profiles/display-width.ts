const WIDE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/u;
const PICTURE = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Regional_Indicator})/u;
const PLAIN = /^[\x20-\x7e]*$/;

let graphemes: Intl.Segmenter | null = null;

/** The columns that a text takes on a terminal: two for a wide character or a picture, however many code points it has. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const grapheme of graphemesOf(text)) width += widthOf(grapheme);
  return width;
}

/** The text in at most so many columns, `…` among them. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let left = columns - 1;
  let kept = '';
  for (const grapheme of graphemesOf(text)) {
    left -= widthOf(grapheme);
    if (left < 0) break;
    kept += grapheme;
  }
  return `${kept}…`;
}

function* graphemesOf(text: string): Iterable<string> {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  for (const { segment } of graphemes.segment(text)) yield segment;
}

function widthOf(grapheme: string): number {
  return WIDE.test(grapheme) || PICTURE.test(grapheme) ? 2 : 1;
}
