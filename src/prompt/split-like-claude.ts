const SPACE = /\s/;
/** Control operators: no word, and the end of the word before. */
const OPERATOR = /[|&;()<>]/;
const NAME = /\w*/y;
const SPECIAL_NAME = /[*@#?$!_-]/;

/**
 * Splits an argument line as Claude Code does, losses included: operators and words with wildcards are dropped, a `#`
 * ends the line, a quote that is never closed is skipped, and `${X}` becomes `$X`. For those who need the same result;
 * `splitArguments` loses nothing. A line with an empty or unclosed `${` is split at white space.
 */
export function splitLikeClaude(line: string): string[] {
  const words: string[] = [];
  for (let at = 0; at < line.length;) {
    const end = endOfChunk(line, at);
    if (end === at) {
      at += 1;
      continue;
    }
    const chunk = readChunk(line.slice(at, end));
    if (chunk === null) return line.split(/\s+/).filter((word) => word !== '');
    if (chunk.word !== null) words.push(chunk.word);
    if (chunk.comment) break;
    at = end;
  }
  return words;
}

/** Where the run of plain characters and closed quotes ends that begins at `start`; `start` itself where there is none. */
function endOfChunk(line: string, start: number): number {
  let at = start;
  while (at < line.length) {
    const character = line.charAt(at);
    if (SPACE.test(character) || OPERATOR.test(character)) break;
    if (character === '"' || character === "'") {
      const close = closingQuote(line, at);
      if (close === -1) break;
      at = close + 1;
    } else at += character === '\\' && at + 1 < line.length && isEscapable(line.charAt(at + 1)) ? 2 : 1;
  }
  return at;
}

function isEscapable(character: string): boolean {
  return character === '"' || character === "'" || /[ \t]/.test(character) || OPERATOR.test(character);
}

/** The first closing quote without a backslash before it, or else the last one with. */
function closingQuote(line: string, start: number): number {
  const quote = line.charAt(start);
  let escaped = -1;
  for (let at = line.indexOf(quote, start + 1); at !== -1; at = line.indexOf(quote, at + 1)) {
    if (line.charAt(at - 1) !== '\\') return at;
    escaped = at;
  }
  return escaped;
}

/** What a chunk says: no word where it has a wildcard; `null` where a `${` in it is empty or never closed. */
function readChunk(chunk: string): { word: string | null; comment: boolean } | null {
  let word = '';
  let quote = '';
  let wild = false;
  for (let at = 0; at < chunk.length; at += 1) {
    const character = chunk.charAt(at);
    if (character === quote) quote = '';
    else if (quote === "'") word += character;
    else if (character === '\\') {
      at += 1;
      const next = chunk.charAt(at);
      wild ||= quote === '' && (next === '*' || next === '?');
      word += quote === '' || next === '"' || next === '\\' || next === '$' ? next : `\\${next}`;
    } else if (character === '$') {
      const variable = readVariable(chunk, at + 1);
      if (variable === null) return null;
      word += `$${variable.name}`;
      at = variable.end - 1;
    } else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (quote === '' && character === '#') return { word: word === '' ? null : word, comment: true };
    else {
      wild ||= quote === '' && (character === '*' || character === '?');
      word += character;
    }
  }
  return { word: wild ? null : word, comment: false };
}

function readVariable(chunk: string, start: number): { name: string; end: number } | null {
  if (chunk.charAt(start) === '{') {
    const close = chunk.indexOf('}', start);
    return close <= start + 1 ? null : { name: chunk.slice(start + 1, close), end: close + 1 };
  }
  const special = chunk.charAt(start);
  // The character after such a name is swallowed with it.
  if (SPECIAL_NAME.test(special)) return { name: special, end: start + 2 };
  NAME.lastIndex = start;
  const name = NAME.exec(chunk)?.[0] ?? '';
  return { name, end: start + name.length };
}
