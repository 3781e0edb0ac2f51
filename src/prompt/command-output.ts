import { cutText } from '../core/cut-text.ts';
import { PROMPT_LIMITS } from '../core/limits.ts';

/** What came of one command. */
export interface CommandOutcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** With these, exit code 1 says that nothing was found or that things differ. */
const SEARCHES: ReadonlySet<string> = new Set('grep egrep fgrep rg ag ack diff cmp comm test ['.split(' '));

/** Whether a command did what it was asked: it ended well, or its last part is a search that found nothing. */
export function hasSucceeded(command: string, { exitCode }: CommandOutcome): boolean {
  if (exitCode === 0) return true;
  const last =
    command
      .trimEnd()
      .split(/[|;&\n]/)
      .at(-1) ?? '';
  const word = last.trim().split(/\s/, 1)[0] ?? '';
  return exitCode === 1 && SEARCHES.has(word.slice(word.lastIndexOf('/') + 1));
}

/** What takes the place of a command: its output as it is, then its errors, without the line ends at the end. */
export function outputText({ stdout, stderr }: CommandOutcome): string {
  const parts = [stdout.trimEnd(), stderr.trimEnd()].filter((part) => part !== '');
  return cutText(parts.join('\n'), PROMPT_LIMITS.outputCharacters).trimEnd();
}
