import { plainWord } from './shell-words.ts';
import { compileWildcard } from './wildcard.ts';

/** Options by which a program that is mostly let through for what it reads runs another, or writes a file. */
interface FarOptions {
  /** `output` is `--output`, `--output=x`, and any beginning that the program may take for it, such as `--outp`. */
  readonly names?: string;
  /** `O` is `-O`, `-Orm` and `-nO`. */
  readonly letters?: string;
  /** Words as they stand, such as those of find. */
  readonly words?: string;
}

/** By the program, or by it and its first word. From the manuals of each. */
const OPTIONS: ReadonlyMap<string, FarOptions> = new Map([
  ['git', { names: 'output output-directory ext-diff exec exec-path config-env upload-pack receive-pack' }],
  ['git grep', { names: 'open-files-in-pager', letters: 'O' }],
  ['find', { words: '-delete -fprint -fprint0 -fprintf -fls' }],
  ['fd', { names: 'exec exec-batch', letters: 'xX' }],
  ['fdfind', { names: 'exec exec-batch', letters: 'xX' }],
  ['rg', { names: 'pre hostname-bin' }],
  ['sort', { names: 'output compress-program', letters: 'o' }],
  ['tree', { names: 'output', letters: 'o' }],
  ['man', { names: 'pager html', letters: 'PH' }],
  ['npm', { names: 'prefix script-shell', letters: 'C' }],
  ['pnpm', { names: 'dir prefix script-shell', letters: 'C' }],
  ['yarn', { names: 'cwd' }],
]);

const WORD = /(?:[^\\ ]|\\.)+/g;
const LETTERS = /^-[A-Za-z]+/;
/** Only the file system knows which option it becomes: `*` is also a file that is named `--output=x`. */
const WILDCARD_OPTION = /^(?:-(?:[^\\*?[]|\\.)*)?[*?[]/;
const SHORTEST_BEGINNING = 2;

/**
 * The words of a simple command, in canonical spelling, that reach further than the program goes without them: `--output=x`
 * of `git diff --output=x`. Also behind a `--`, which may be the value of another option.
 */
export function farWords(command: string): readonly string[] {
  const [first = '', ...rest] = command.match(WORD) ?? [];
  const program = first.slice(first.lastIndexOf('/') + 1);
  const known = [program, `${program} ${rest[0] ?? ''}`].flatMap((name) => OPTIONS.get(name) ?? []);
  if (known.length === 0) return [];
  return rest.filter(
    (word) => WILDCARD_OPTION.test(word) || known.some((far) => isFar(plainWord(word), far)),
  );
}

/** Those that a rule names: its own wildcards are no files. */
export function namedFarWords(rule: string): readonly string[] {
  return farWords(rule).filter((word) => word.startsWith('-'));
}

/** Whether a rule names each of them: a prefix means the options that nobody has to be warned of. */
export function namesFarWords(rule: readonly string[], words: readonly string[]): boolean {
  return words.every((word) => rule.some((named) => compileWildcard(named, 'text')(word)));
}

function isFar(word: string, { names = '', letters = '', words = '' }: FarOptions): boolean {
  if (word.startsWith('--')) {
    const [name = ''] = word.slice(2).split('=', 1);
    return name.length >= SHORTEST_BEGINNING && names.split(' ').some((far) => far.startsWith(name));
  }
  const bundled = LETTERS.exec(word)?.[0] ?? '';
  return words.split(' ').includes(word) || [...bundled].some((letter) => letters.includes(letter));
}
