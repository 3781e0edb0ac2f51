/** Characters that a person cannot see or that a shell may treat in its own way. Space, tab and newline are fine. */
const UNSEEN = /[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u;
/** Outside single quotes, each of these makes the shell do more than split words. */
const EXPANDING = new Set(['$', '`', '!']);
const GROUPING = new Set(['(', ')', '{', '}', '<', '>']);
/** Not `&>`: one shell redirects there, another starts the next command. */
const SEPARATOR = /&&|\|\||\|&|&(?!>)|[;|\n]/y;
/** The two redirections that write nowhere: onto another open stream, or away. Only as words of their own. */
const HARMLESS_REDIRECTION = /[12]?>(?:&[12]|>?[ \t]*\/dev\/null)(?=[ \t\n;&|]|$)/y;
const NEEDS_ESCAPE = /[\s'"\\*?[\]~;&|<>()$`!{}#]/;
const ACTIVE = /[*?[\]~]/;

/**
 * The words of each simple command of a shell command, quotes resolved; `null` for anything but words, quotes,
 * separators and two harmless redirections.
 *
 * Words are canonical: a special character that was quoted has a backslash, and only a wildcard or tilde that the shell
 * would act on stands bare. So `g"it" diff` gives `git`, `diff`, and `"git diff"` gives the one word `git\ diff`.
 */
export function shellWords(text: string): string[][] | null {
  if (UNSEEN.test(text)) return null;
  const commands: string[][] = [];
  let words: string[] = [];
  let at = 0;
  /** What a command must follow: after `&&` or `|` one has to come, after `;` or a newline the text may end. */
  let required = false;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === ' ' || character === '\t') {
      at += 1;
      continue;
    }
    const separator = matchAt(SEPARATOR, text, at);
    if (separator !== null) {
      at += separator.length;
      if (words.length > 0) {
        commands.push(words);
        words = [];
        required = separator.startsWith('|') || separator === '&&';
      } else if (separator !== '\n') return null;
      continue;
    }
    const redirection = matchAt(HARMLESS_REDIRECTION, text, at);
    if (redirection !== null) {
      at += redirection.length;
      continue;
    }
    const word = readWord(text, at);
    if (word === null) return null;
    words.push(word.text);
    required = false;
    at = word.end;
  }
  if (words.length > 0) commands.push(words);
  return required || commands.length === 0 ? null : commands;
}

/** A canonical word as the program gets it. */
export function plainWord(word: string): string {
  return word === "''" ? '' : word.replaceAll(/\\([\s\S])/g, '$1');
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

/** One word from `start`, or `null` where it is more than characters and quotes. A `#` at its start is a comment. */
function readWord(text: string, start: number): { text: string; end: number } | null {
  if (text[start] === '#') return null;
  let at = start;
  let word = '';
  while (at < text.length) {
    const character = text.charAt(at);
    if (/[ \t\n;&|]/.test(character)) break;
    if (EXPANDING.has(character) || GROUPING.has(character)) return null;
    if (character === "'" || character === '"') {
      const quoted = readQuoted(text, at + 1, character);
      if (quoted === null) return null;
      word += quoted.text;
      at = quoted.end;
    } else if (character === '\\') {
      const escaped = text[at + 1];
      if (escaped === undefined || escaped === '\n') return null;
      word += literal(escaped);
      at += 2;
    } else {
      word += ACTIVE.test(character) ? character : literal(character);
      at += 1;
    }
  }
  if (at === start) return null;
  // A word of nothing but quotes is a word: the empty one.
  return { text: word === '' ? "''" : word, end: at };
}

function readQuoted(text: string, start: number, quote: string): { text: string; end: number } | null {
  let content = '';
  for (let at = start; at < text.length; at += 1) {
    let character = text.charAt(at);
    if (character === quote) return { text: content, end: at + 1 };
    if (character === '\n') return null;
    if (quote === '"') {
      if (EXPANDING.has(character)) return null;
      const next = text.charAt(at + 1);
      if (character === '\\' && (next === '"' || next === '\\')) {
        character = next;
        at += 1;
      }
    }
    content += literal(character);
  }
  return null;
}

function literal(character: string): string {
  return NEEDS_ESCAPE.test(character) ? `\\${character}` : character;
}
