import { LISTING_LIMITS, POLICY_LIMITS } from '../core/limits.ts';
import { plainWord, shellWords } from '../policy/shell-words.ts';

/** Separators, quotes and redirections of any shell, for commands that cannot be read to the end. */
const ROUGH = /[\s;&|<>(){}`'"$]+/;
const MOST = LISTING_LIMITS.touchedPaths;
/** `--config=src/app.ts` names a file as well as `--config src/app.ts`. */
const OPTION_VALUE = /^--?[A-Za-z0-9][A-Za-z0-9-]*=/;

/**
 * Words of a shell command that name files, as far as one can tell without running it. A word too many only ever lists a
 * skill that waits for it; so a command that is not understood is cut at everything that could end a word. `cd` is followed
 * in those that are.
 */
export function commandPaths(command: string): string[] {
  const text = command.slice(0, POLICY_LIMITS.commandCharacters);
  const paths = new Set<string>();
  let folder = '';
  for (const [program = '', ...rest] of shellWords(text) ?? [text.split(ROUGH)]) {
    const words = [program, ...rest].map((word) => plainWord(word.replace(OPTION_VALUE, '')));
    for (const word of words.filter(isPathLike)) if (paths.size < MOST) paths.add(below(folder, word));
    const [, target = '-'] = words;
    if (program === 'cd' && folder.length < text.length && !target.startsWith('-'))
      folder = below(folder, target);
  }
  return [...paths];
}

/** A path as whoever began in another folder names it. */
function below(folder: string, path: string): string {
  return folder === '' || /^[/~]/.test(path) ? path : `${folder}/${path}`;
}

/** A folder or an ending makes a word a path; options, addresses, patterns and sentences are none. */
function isPathLike(word: string): boolean {
  if (word.startsWith('-') || word.includes('://') || /[\s*?]/.test(word)) return false;
  return word.includes('/') || /\.[A-Za-z0-9_-]/.test(word);
}
