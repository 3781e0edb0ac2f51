import type * as Re2js from 're2js';
import { BoundedCache } from '../core/bounded-cache.ts';
import { HOOK_LIMITS, PATTERN_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { TextMatcher } from './wildcard.ts';

/** Reads a regular expression that somebody else wrote. Errors: text that says what is wrong with it. */
export type ReadPattern = (source: string) => Result<TextMatcher, string>;

const REPETITION = /\{(\d+)(?:,(\d*))?\}/g;
const PROPERTY = /\\p/gi;
const IGNORES_CASE = /\(\?[a-z-]*i/i;
/** How a range may end outside of ASCII: as a number or as it is. */
const FAR_END = /-(?:\\[xu]\{?([\da-f]+)|([^\0-\x7f]))/giu;

/** How long a pattern may be: in characters, and with its repetitions and classes written out. */
export interface PatternLimits {
  readonly characters: number;
  readonly repeated: number;
}

const OF_HOOKS: PatternLimits = {
  characters: HOOK_LIMITS.patternCharacters,
  repeated: HOOK_LIMITS.patternRepeated,
};

let loaded: Promise<ReadPattern> | null = null;

/**
 * Regular expressions in time linear to pattern and text (RE2's syntax: no look-around, no back-references), found anywhere
 * in a text. Loaded when a pattern is first met: nothing else must pay for the engine.
 */
export async function loadPatterns(): Promise<ReadPattern> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ReadPattern> {
  const { RE2JS } = await import('re2js');
  const known = new BoundedCache<string, Result<TextMatcher, string>>(HOOK_LIMITS.patterns);
  return (source) => {
    const before = known.get(source);
    if (before) return before;
    const read = readPattern(RE2JS, source, OF_HOOKS);
    known.set(source, read);
    return read;
  };
}

/** The same for one pattern that is used once, with bounds of its own. */
export async function compilePattern(
  source: string,
  limits: PatternLimits,
): Promise<Result<TextMatcher, string>> {
  const { RE2JS } = await import('re2js');
  return readPattern(RE2JS, source, limits);
}

function readPattern(
  engine: typeof Re2js.RE2JS,
  source: string,
  { characters, repeated: most }: PatternLimits,
): Result<TextMatcher, string> {
  if (source.length > characters) return fail(`it has more than ${characters} characters`);
  if (lengthWrittenOut(source) > most)
    return fail('its repetitions and classes of characters make it too long');
  try {
    const pattern = engine.compile(engine.translateRegExp(source));
    return ok((text) => pattern.test(text));
  } catch (error) {
    return fail(error instanceof Error ? error.message.slice(0, 200) : 'it is no regular expression');
  }
}

/**
 * What the engine makes of a pattern before it matches, in characters: it writes repetitions out, and nested ones
 * multiply; a class by Unicode property is a table; and a range that ignores case is walked, one code point after another.
 */
function lengthWrittenOut(source: string): number {
  const { propertyCharacters, codePointsOfCharacter } = PATTERN_LIMITS;
  let length = source.length + propertyCharacters * (source.match(PROPERTY)?.length ?? 0);
  if (IGNORES_CASE.test(source)) {
    for (const [, number, character = ''] of source.matchAll(FAR_END)) {
      const end = number === undefined ? (character.codePointAt(0) ?? 0) : Number.parseInt(number, 16);
      length += end / codePointsOfCharacter;
    }
  }
  for (const [, least = '', most = ''] of source.matchAll(REPETITION)) {
    length *= Math.max(1, Number(most === '' ? least : most));
  }
  return length;
}
