import { isSkillUrl, readSkillUrl } from '../catalog/skill-url.ts';
import { roughCommands } from '../policy/shell.ts';
import { plainWord, shellWords } from '../policy/shell-words.ts';

/** How a command uses a skill's file: runs it, or prints the SKILL.md. */
export type TouchKind = 'script' | 'document';

/** A file that a command touches: of the host, as a path from its root, or of a skill that a URL names. */
export type TouchedFile = { readonly kind: TouchKind; readonly path: string; readonly skill: string | null };

/** Programs that run the file they are given: Codex's, and those that have come since. */
const RUNNERS =
  /^(?:python[\d.]*|py|uv|uvx|pipx|bash|sh|zsh|dash|ksh|fish|node|deno|bun|bunx|npx|tsx|ts-node|ruby|perl|php|pwsh|powershell|source|\.)(?:\.exe)?$/;
const READERS: ReadonlySet<string> = new Set('cat sed head tail less more bat awk nl'.split(' '));
/** What may stand in front of a program. */
const WRAPPERS: ReadonlySet<string> = new Set(
  'env sudo doas time timeout nohup nice command exec xargs'.split(' '),
);
const SCRIPT = /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|mts|cts|rb|pl|php|ps1)$/i;
const DOCUMENT = /(?:^|\/)SKILL\.md$/;
/** Options that give a program its text, or a module's name, so that no file is run. */
const INLINE_CODE: ReadonlySet<string> = new Set(['-c', '-e', '-m', '--eval']);
const SHELL = /^(?:ba|z|da|k|fi)?sh$/;
/** `-c`, and `-lc` as agents write it: a command follows. */
const COMMAND_OPTION = /^-[a-z]*c$/;
const HOME = /\$(?:HOME\b|\{HOME\})/g;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/**
 * The scripts that a shell command runs and the SKILL.md files that it prints, by Codex's rule: a runner before a script, or
 * a reader before a SKILL.md, and scripts that are run by their own name. `cd` and `bash -c` are followed. A guess, not a
 * judgement: what cannot be split exactly is split roughly.
 */
export function touchedFiles(command: string, directory: string): TouchedFile[] {
  const text = command.replaceAll(HOME, '~');
  const commands =
    shellWords(text)?.map((words) => words.map(plainWord)) ??
    roughCommands(text).map((piece) => piece.split(' '));
  const touched: TouchedFile[] = [];
  let current = directory;
  for (const words of commands) {
    const [program = '', ...rest] = withoutWrappers(words);
    if (program === 'cd' && rest[0] !== undefined) current = joined(current, rest[0]);
    else touched.push(...filesOf(program, rest, current));
  }
  return touched;
}

function filesOf(program: string, rest: readonly string[], directory: string): TouchedFile[] {
  const name = baseName(program);
  const all = (kind: TouchKind, operands: readonly string[]): TouchedFile[] =>
    operands.flatMap((operand) => located(kind, operand, directory) ?? []);
  if (READERS.has(name)) return all('document', rest.filter(isDocument));
  if (!RUNNERS.test(name))
    return all('script', program.includes('/') && SCRIPT.test(program) ? [program] : []);
  const script = rest.findIndex((word) => SCRIPT.test(word) && !word.startsWith('-'));
  const options = script === -1 ? rest : rest.slice(0, script);
  if (SHELL.test(name)) {
    // What is in quotes is shorter than what it is in, so this comes to an end.
    const option = options.findIndex((word) => COMMAND_OPTION.test(word));
    if (option !== -1) return touchedFiles(rest[option + 1] ?? '', directory);
  } else if (options.some((word) => INLINE_CODE.has(word))) return [];
  return all('script', script === -1 ? [] : rest.slice(script, script + 1));
}

/** A URL without a path means the SKILL.md. */
function isDocument(word: string): boolean {
  return DOCUMENT.test(word) || readSkillUrl(word)?.path === null;
}

/** Null for a URL that points outside of its skill. */
function located(kind: TouchKind, text: string, directory: string): TouchedFile | null {
  if (!isSkillUrl(text)) return { kind, path: joined(directory, text), skill: null };
  const url = readSkillUrl(text);
  return url && { kind, path: url.path ?? 'SKILL.md', skill: url.name };
}

/** `FOO=1 sudo -n timeout 5 python x` is `python x`. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  let at = 0;
  let wrapped = false;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (WRAPPERS.has(baseName(word))) wrapped = true;
    else if (!ASSIGNMENT.test(word) && !(wrapped && /^-|^\d+[smhd]?$/.test(word))) break;
  }
  return words.slice(at);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** A path of the host from its root, without `.` and `..`; one that would leave the root stays below it, and `~` is a folder. */
export function joined(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (/^[/~]/.test(path) ? path : `${directory}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
