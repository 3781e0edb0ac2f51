import { RUN_LIMITS } from '../../core/limits.ts';
import { fail, ok, type Result } from '../../core/result.ts';
import { expandBraces } from '../../format/fields/expand-braces.ts';
import { compileGitignore } from '../../listing/gitignore.ts';

/** Braces multiply; a real pattern names a few endings. */
const BRACES = { patterns: 100, characters: 16 * RUN_LIMITS.globPatternCharacters };

/**
 * Whether a path, relative to where the search begins, is one that a pattern means: as in a `.gitignore`, a pattern without
 * a slash means names at any depth. Braces are alternatives. In linear time, whatever the pattern says.
 */
export function matchFiles(pattern: string): Result<(path: string) => boolean, string> {
  if (pattern.length > RUN_LIMITS.globPatternCharacters)
    return fail(`pattern_invalid: it has more than ${RUN_LIMITS.globPatternCharacters} characters`);
  const patterns = expandBraces(pattern, BRACES);
  if (patterns === null) return fail('pattern_invalid: its braces stand for too many patterns');
  const matches = compileGitignore(patterns);
  return ok((path) => matches(path.split('/').map((segment) => [...segment])));
}
