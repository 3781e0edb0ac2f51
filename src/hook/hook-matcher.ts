import type { ReadPattern } from '../policy/linear-pattern.ts';
import { ok, type Result } from '../core/result.ts';

/** Names, with `|` or commas between. Everything else is a regular expression. */
const NAMES = /^[\w\-|, ]+$/;

/** True for a matcher that only a regular expression can answer. */
export function isPattern(matcher: string | null): boolean {
  return matcher !== null && matcher !== '' && matcher !== '*' && !NAMES.test(matcher);
}

/**
 * Whether a hook's matcher means this value: nothing, an empty text and `*` mean all; a name means just itself; names
 * with `|` or commas between mean each of them; anything else is a regular expression that is looked for in the value.
 * Errors: text that says why it is none.
 */
export function matchesValue(
  matcher: string | null,
  value: string,
  readPattern: ReadPattern,
): Result<boolean, string> {
  if (matcher === null || matcher === '' || matcher === '*') return ok(true);
  if (!isPattern(matcher))
    return ok(matcher.split(/[|,]/).some((name) => name.trim() === value && value !== ''));
  const pattern = readPattern(matcher);
  return pattern.ok ? ok(pattern.value(value)) : pattern;
}
