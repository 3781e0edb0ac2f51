const SPACE = /\s/;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** A quoted part: what it says without its quotes, and where the text goes on. */
interface Quoted {
  readonly value: string;
  readonly end: number;
}

/**
 * Splits an argument line into words the way a shell quotes, but for people: whatever is not plainly quoting stays as
 * it was typed, so no glob, `#`, operator, `$NAME`, apostrophe or unpaired quote is ever lost.
 *
 * - White space separates; `"a b"` and `'a b'` group, also inside a word (`a"b c"d`); `""` is one empty word.
 * - A backslash escapes white space, a quote or a backslash, and is an ordinary character before anything else.
 * - A `'` after a letter or digit never opens, and one between two of them never closes (`it's`, `'don't stop'`).
 * - A quote that is never closed is an ordinary character.
 */
export function splitArguments(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  // Linear: a search for a closing quote that fails is the last one, since any later opening quote would have closed it.
  let at = 0;
  while (at < text.length) {
    const character = text.charAt(at);
    if (SPACE.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
      continue;
    }
    let quoted: Quoted | null = null;
    if (character === '"') {
      quoted = doubleQuoted(text, at);
    } else if (character === "'" && !isLetterOrDigit(text, at - 1)) {
      quoted = singleQuoted(text, at);
    } else if (character === '\\' && isEscapable(text.charAt(at + 1))) {
      quoted = { value: text.charAt(at + 1), end: at + 2 };
    }
    word = (word ?? '') + (quoted?.value ?? character);
    at = quoted?.end ?? at + 1;
  }
  if (word !== null) words.push(word);
  return words;
}

function doubleQuoted(text: string, start: number): Quoted | null {
  const parts: string[] = [];
  let copied = start + 1;
  for (let at = copied; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { value: parts.join('') + text.slice(copied, at), end: at + 1 };
    const next = text.charAt(at + 1);
    if (character === '\\' && (next === '"' || next === '\\')) {
      parts.push(text.slice(copied, at), next);
      at += 1;
      copied = at + 1;
    }
  }
  return null;
}

function singleQuoted(text: string, start: number): Quoted | null {
  for (let at = text.indexOf("'", start + 1); at !== -1; at = text.indexOf("'", at + 1)) {
    const apostrophe = isLetterOrDigit(text, at - 1) && isLetterOrDigit(text, at + 1);
    if (!apostrophe) return { value: text.slice(start + 1, at), end: at + 1 };
  }
  return null;
}

function isEscapable(character: string): boolean {
  return character === '"' || character === "'" || character === '\\' || SPACE.test(character);
}

function isLetterOrDigit(text: string, at: number): boolean {
  return LETTER_OR_DIGIT.test(text.charAt(at));
}
