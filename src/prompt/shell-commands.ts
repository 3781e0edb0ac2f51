import { codeRanges } from './code-ranges.ts';
import { fenceCode } from '../text/fences.ts';
import { EXPANSION_RULES, type ExpansionMode } from './expansion-mode.ts';

/** A command that a body asks to be run, and the part of the body that its output takes the place of. */
export interface ShellCommand {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const SPACE = /\s/;
/** Most bodies have no command, and need not be read for their code. */
const MAYBE = /!`|(?:```|~~~)[ \t]*!/;

/** What stands in the place of a command that was not run: Claude Code's own words, which models and hosts know. */
export const NOT_RUN = '[shell command execution disabled by policy]';

/**
 * The inline shell commands of a body as its author wrote it, in order: `` !`command` `` at the beginning of a line or
 * after white space, and fenced blocks whose info is `!`. Take them from the body before anything is filled in: what
 * looks like a command in an argument or in an output is none.
 *
 * In the default mode what lies in other code is an example: in any fenced block, and in a span of two or more backticks.
 * Claude Code runs these as well, and its modes therefore do.
 */
export function shellCommands(body: string, mode: ExpansionMode): ShellCommand[] {
  if (!MAYBE.test(body)) return [];
  const found = EXPANSION_RULES[mode].sparesCode ? outsideExamples(body) : anywhere(body);
  return found.filter(({ text }) => text.trim() !== '');
}

function outsideExamples(body: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  for (const range of codeRanges(body)) {
    const { start, end } = range;
    if (range.kind === 'fence') {
      if (range.fence.language === '!') commands.push({ start, end, text: fenceCode(body, range.fence) });
    } else if (range.marks === 1 && body.charAt(start - 1) === '!' && beginsWord(body, start - 1)) {
      commands.push({ start: start - 1, end, text: body.slice(start + 1, end - 1) });
    }
  }
  return commands;
}

function anywhere(body: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let from = 0;
  for (let mark = body.indexOf('!'); mark !== -1; mark = body.indexOf('!', Math.max(from, mark + 1))) {
    const command = blockAround(body, mark, from) ?? inlineAt(body, mark);
    if (command === null) continue;
    commands.push(command);
    from = command.end;
  }
  return commands;
}

/** ```` ```! ```` up to the next three backticks. */
function blockAround(body: string, mark: number, from: number): ShellCommand | null {
  if (mark - 3 < from || !body.endsWith('```', mark)) return null;
  const close = body.indexOf('```', mark + 1);
  return close === -1 ? null : { start: mark - 3, end: close + 3, text: body.slice(mark + 1, close).trim() };
}

function inlineAt(body: string, mark: number): ShellCommand | null {
  if (body.charAt(mark + 1) !== '`' || !beginsWord(body, mark)) return null;
  const close = body.indexOf('`', mark + 2);
  return close <= mark + 2 ? null : { start: mark, end: close + 1, text: body.slice(mark + 2, close) };
}

function beginsWord(body: string, at: number): boolean {
  return at === 0 || SPACE.test(body.charAt(at - 1));
}
