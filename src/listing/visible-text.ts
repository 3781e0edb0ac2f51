/** Anything but visible ASCII, spaces and what no tag is made of. */
const UNUSUAL = /[^\x20-\x3b\x3d\x3f-\x7e]/;

/**
 * What nobody sees: format characters (zero-width, bidirectional, U+E0000-E007F tags), other default-ignorable ones,
 * controls that are not white space, non-characters, and halves of surrogate pairs.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]--[\t\n\v\f\r\x85]]/gv;
/** U+2800 is a braille cell without dots: a blank that Unicode does not call white space. */
const BLANK = /[\s\x85\u2800]+/g;
const OPENING = /[<\uff1c\ufe64]/g;
const CLOSING = /[>\uff1e\ufe65]/g;
const LIST_MARKER = /^(?:[-*+\u2022\u2023\u25e6\u2043]+(?: |$))+/;

/**
 * Untrusted text as one line that a listing can print: what is invisible is gone, white space and line breaks are
 * single spaces, angle brackets (and the wide ones that normalise to them) are `‹` and `›`, so no tag can be formed, and
 * there is no list marker in front. Never longer than the text, and the same when done twice.
 */
export function visibleText(text: string): string {
  const trimmed = text.trim();
  // Nearly all text is harmless already, and seeing that is several times faster than five replacements.
  if (!UNUSUAL.test(trimmed) && !LIST_MARKER.test(trimmed) && !trimmed.includes('  ')) return trimmed;
  return trimmed
    .replace(INVISIBLE, '')
    .replace(BLANK, ' ')
    .trim()
    .replace(OPENING, '‹')
    .replace(CLOSING, '›')
    .replace(LIST_MARKER, '');
}

/** A name, besides, has no `: ` and no colon at its end: that is what separates it from its text. */
export function visibleName(name: string): string {
  const visible = visibleText(name);
  if (!visible.includes(':')) return visible === '' ? UNNAMED : visible;
  return (
    visible
      .replace(/[ :]+$/, '')
      .replace(/: +/g, ':')
      .replace(LIST_MARKER, '') || UNNAMED
  );
}

/** A name among others with commas between them: in quotes, where it could be read as several. */
export function nameInList(name: string): string {
  const visible = visibleName(name);
  return /[\s,"]/.test(visible) ? JSON.stringify(visible) : visible;
}

/** A line must name something. */
const UNNAMED = '(unnamed)';
