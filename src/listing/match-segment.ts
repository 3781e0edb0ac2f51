/** One thing that a pattern says of one segment of a path. */
type Token = string | typeof ANY | typeof STAR | CharacterClass;

interface CharacterClass {
  readonly negated: boolean;
  /** First and last characters. */
  readonly ranges: readonly (readonly [string, string])[];
}

const ANY = Symbol('?');
const STAR = Symbol('*');

export type SegmentPattern = readonly Token[];

/** Reads one segment of a gitignore pattern: `*`, `?`, `[a-z]`, `[!a-z]` and `\` before anything; null where it ends in `\`. */
export function parseSegment(text: string): SegmentPattern | null {
  const characters = [...text];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '\\') {
      const literal = characters[(at += 1)];
      if (literal === undefined) return null;
      tokens.push(literal);
    } else if (character === '*') {
      if (tokens.at(-1) !== STAR) tokens.push(STAR);
    } else if (character === '?') tokens.push(ANY);
    else if (character === '[') {
      const found = parseClass(characters, at + 1);
      tokens.push(found?.token ?? '[');
      at = found?.end ?? at;
    } else tokens.push(character);
  }
  return tokens;
}

/** `start` is behind the bracket; a `]` right there is one of the characters. Null where the bracket never closes. */
function parseClass(
  characters: readonly string[],
  start: number,
): { token: CharacterClass; end: number } | null {
  const negated = characters[start] === '!' || characters[start] === '^';
  const ranges: (readonly [string, string])[] = [];
  const first = negated ? start + 1 : start;
  for (let at = first; at < characters.length; at += 1) {
    let character = characters[at] ?? '';
    if (character === ']' && at > first) return { token: { negated, ranges }, end: at };
    if (character === '\\') character = characters[(at += 1)] ?? '';
    const last = characters[at + 2];
    if (characters[at + 1] === '-' && last !== undefined && last !== ']') {
      ranges.push([character, last]);
      at += 2;
    } else ranges.push([character, character]);
  }
  return null;
}

/**
 * Whether a pattern is all of a segment. Everything but a star is one character, so only the last star ever has to be
 * stretched: the time is pattern length x text length at most.
 */
export function matchSegment(pattern: SegmentPattern, text: readonly string[]): boolean {
  return matchStretching(pattern, text, (token) => token === STAR, isOne);
}

function isOne(token: Token, character: string): boolean {
  if (typeof token === 'string') return token === character;
  if (typeof token === 'symbol') return true;
  return token.ranges.some(([first, last]) => first <= character && character <= last) !== token.negated;
}

/** Matches a list against a pattern in which some items stand for any number of others, also none. */
export function matchStretching<Token, Item>(
  pattern: readonly Token[],
  items: readonly Item[],
  stretches: (token: Token) => boolean,
  matches: (token: Token, item: Item) => boolean,
): boolean {
  let [at, item, star, resume] = [0, 0, -1, 0];
  while (item < items.length) {
    const token = pattern[at];
    const here = items[item];
    if (token !== undefined && stretches(token)) {
      star = at;
      resume = item;
      at += 1;
    } else if (token !== undefined && here !== undefined && matches(token, here)) {
      at += 1;
      item += 1;
    } else if (star !== -1) {
      at = star + 1;
      item = resume += 1;
    } else return false;
  }
  return pattern.slice(at).every(stretches);
}
