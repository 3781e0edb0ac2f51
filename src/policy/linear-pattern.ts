import type * as Re2js from 're2js';
import { BoundedCache } from '../core/bounded-cache.ts';
import { HOOK_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { TextMatcher } from './wildcard.ts';

/** Reads a regular expression that somebody else wrote. Errors: text that says what is wrong with it. */
export type ReadPattern = (source: string) => Result<TextMatcher, string>;

const REPETITION = /\{(\d+)(?:,(\d*))?\}/g;

/** How long a pattern may be: in characters, and with its repetitions written out. */
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
  // The engine writes repetitions out before it matches, and nested ones multiply.
  const repeated = [...source.matchAll(REPETITION)].reduce(
    (product, [, least = '', most = '']) => product * Math.max(1, Number(most === '' ? least : most)),
    source.length,
  );
  if (repeated > most) return fail('its repetitions make it too long');
  try {
    const pattern = engine.compile(engine.translateRegExp(source));
    return ok((text) => pattern.test(text));
  } catch (error) {
    return fail(error instanceof Error ? error.message.slice(0, 200) : 'it is no regular expression');
  }
}
