import { POLICY_LIMITS } from '../core/limits.ts';
import { shellWords } from './shell-words.ts';

/** A command word that says itself what runs: no wildcard, no quote that hides a space, no assignment, no job. */
const PLAIN_COMMAND = /^[A-Za-z0-9_.+/@:~-]+$/;

/** Words after which the shell or the program runs something that these words do not show. */
const NOT_SIMPLE: ReadonlySet<string> = new Set(
  [
    'if then elif else fi for while until do done case esac in select function time coproc repeat foreach end',
    // What changes the shell itself changes what the parts behind it mean; some also run what a name has in its brackets.
    'export declare typeset local readonly unset read mapfile readarray getopts let set shopt setopt unsetopt emulate',
    'zmodload autoload sched wait fc compgen compopt',
    'eval exec source . command builtin noglob nocorrect - alias unalias trap hash enable bind complete',
    'env xargs sudo doas su runuser pkexec chroot unshare nsenter nohup nice ionice chrt taskset setsid setpriv',
    'setarch linux32 linux64 fakeroot ssh-agent dbus-run-session systemd-run systemd-inhibit at batch entr chronic',
    'prlimit numactl cpulimit choom firejail bwrap rlwrap catchsegv eatmydata torsocks torify proxychains proxychains4',
    'timeout stdbuf script watch parallel flock strace ltrace busybox toybox caffeinate unbuffer start-stop-daemon',
  ].flatMap((line) => line.split(' ')),
);
/** Builtins that write a variable, or take a word for arithmetic, in whose brackets a command may stand. */
const EVALUATING: ReadonlySet<string> = new Set(['test', 'printf']);
const EVALUATED = /^-[vR]|\[.*\\[$`]/;
/** An option of find, and of what is like it, behind which stands another command. */
const RUNS_ARGUMENTS = /^-(?:exec|ok)(?:dir)?$/;
const SHELLS: ReadonlySet<string> = new Set(
  'sh bash rbash dash ash zsh ksh mksh yash csh tcsh fish pwsh'.split(' '),
);

/**
 * The words of each simple command, or `null`: not understood, and then no rule about commands may allow it. Whatever
 * we cannot read to the end is refused here, because every part has to be judged.
 */
export function simpleCommands(text: string): string[][] | null {
  if (text.length > POLICY_LIMITS.commandCharacters) return null;
  const commands = shellWords(text);
  return commands?.every(isSimple) === true ? commands : null;
}

/** The simple commands of a shell command in canonical spelling: `a && g"it" diff` gives `a` and `git diff`. */
export function splitCommand(text: string): string[] | null {
  return simpleCommands(text)?.map((words) => words.join(' ')) ?? null;
}

function isSimple(words: readonly string[]): boolean {
  const [command = '', argument] = words;
  if (!PLAIN_COMMAND.test(command)) return false;
  const name = baseName(command);
  if (words.some((word) => RUNS_ARGUMENTS.test(word))) return false;
  if (EVALUATING.has(name) && words.some((word) => EVALUATED.test(word))) return false;
  // `sh` alone runs its input and `sh -c` its argument; `sh file` is a program like any other.
  if (SHELLS.has(name)) return argument !== undefined && /^[A-Za-z0-9_./]/.test(argument);
  return !NOT_SIMPLE.has(name);
}

/** The command with the folders of its first word removed, where it has any: `/bin/rm -r` is `rm -r` to a deny rule. */
export function withoutFolders(command: string): string {
  const end = command.indexOf(' ');
  const word = end < 0 ? command : command.slice(0, end);
  return baseName(word) + command.slice(word.length);
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** How far into a piece of a command we look for the word that really runs: `FOO=1 sudo -u me rm`. */
const ROUGH_OFFSETS = 5;
/** No word that could run: an option, or an assignment. */
const NO_COMMAND = /^-|^[A-Za-z_]\w*\+?=/;

/**
 * What might run in a command that was not understood, for deny and ask rules only: cut at everything that can begin a
 * command, quotes dropped, and each piece read again from its next few words that could run.
 */
export function roughCommands(text: string): string[] {
  const pieces = text
    .slice(0, POLICY_LIMITS.commandCharacters)
    .replaceAll('\\\n', '')
    .replaceAll(/['"\\]/g, '')
    .split(/[;&|\n\r(){}`<>$!#]/);
  const readings = pieces.flatMap((piece) => {
    const words = piece.split(/\s+/).filter((word) => word !== '');
    const starts = [...words.keys()].filter((at) => !NO_COMMAND.test(words[at] ?? ''));
    return starts.slice(0, ROUGH_OFFSETS).map((start) => words.slice(start).join(' '));
  });
  return [...new Set(readings)];
}
