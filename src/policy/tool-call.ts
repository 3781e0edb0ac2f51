import { inTheirFolders } from './folder-change.ts';
import { foldCommand, isSimpleCmdlet } from './powershell.ts';
import { type Act, readAct } from './same-act.ts';
import { simpleCommands, roughCommands, withoutFolders } from './shell.ts';
import { specifierKind } from './tool-kind.ts';

/** A call of a tool: for Bash the command, for file tools the path, for WebFetch the URL, for Skill name and arguments. */
export interface ToolCall {
  readonly tool: string;
  readonly input: string;
}

/** A call as rules see it. */
export interface ReadCall {
  readonly tool: string;
  /**
   * What has to be allowed part by part, each part in its equal spellings. `null`: not understood, so that no rule with
   * a specifier may allow it.
   */
  readonly parts: readonly (readonly string[])[] | null;
  /** What deny and ask rules are tried against: the parts, and every other reading that can be made out. */
  readonly readings: readonly string[];
  /** The same as acts, where it is a command: one that is spelt in another way is still the same. */
  readonly acts: readonly Act[];
  /** Beginnings whose continuation only the shell or the file system knows. A rule that could go on so is in doubt. */
  readonly openings: readonly string[];
}

const BARE_WILDCARD = /^(?:[^\\*?[]|\\.)*[*?[]/;
/**
 * What PowerShell and other shells split the same way: its own quotes, escapes and separators are others (`\\;` ends a command
 * there, and ’ is a quote), so that a command with any of them is not understood.
 */
const PLAIN_POWERSHELL = /^[A-Za-z0-9_ ./:=+,~-]+$/;
const OPENINGS = 16;
/** A shorter beginning stands for more continuations, so cutting it is safe. */
const OPENING_CHARACTERS = 64;

export function readCall(call: ToolCall): ReadCall {
  switch (specifierKind(call.tool)) {
    case 'command':
      return readCommand(call, simpleCommands(call.input));
    case 'cmdlet':
      return readCmdlet(call);
    case 'path':
      return readPath(call);
    case 'domain':
      return understood(call.tool, hostOf(call.input));
    case 'name':
      return understood(call.tool, normalName(call.input));
    case 'text':
    case 'none':
      return understood(call.tool, call.input.trim());
  }
}

/** A skill under all its names. Arguments belong to each, and never to the name: the model chooses them. */
export function readSkill(names: readonly string[], args: string): ReadCall {
  const spellings = [...new Set(names.map((name) => normalName(`${escapeName(name)} ${args}`)))];
  return { tool: 'Skill', parts: [spellings], readings: spellings, acts: [], openings: [] };
}

/** A name as one word: white space in it is escaped, so that it cannot pass for a shorter name with arguments. */
export function escapeName(name: string): string {
  // No name at all must not let the arguments take its place.
  if (name.trim() === '') return "''";
  return name.trim().replaceAll(/[\\\s]/g, (character) => (character === '\\' ? '\\\\' : '\\ '));
}

/** A skill's name and arguments with single spaces between, in one Unicode form, without the leading `/` of commands. */
export function normalName(text: string): string {
  const words = text.normalize('NFC').trim().split(/\s+/).join(' ');
  return words.startsWith('/') ? words.slice(1) : words;
}

/** A path without `.` and empty segments. `null` where text alone cannot say which file it is. */
export function normalPath(path: string): string | null {
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return null;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.includes('..')) return null;
  return (path.startsWith('/') ? '/' : '') + segments.join('/');
}

function understood(tool: string, reading: string | null): ReadCall {
  if (reading === null) return { tool, parts: null, readings: [], acts: [], openings: [''] };
  return { tool, parts: [[reading]], readings: [reading], acts: [], openings: [] };
}

function readCmdlet(call: ToolCall): ReadCall {
  const commands = PLAIN_POWERSHELL.test(call.input) ? simpleCommands(call.input) : null;
  const simple = commands?.every((words) => isSimpleCmdlet(words.join(' '))) === true;
  const read = readCommand(call, simple ? commands : null);
  return { ...read, acts: read.readings.map((reading) => readAct(foldCommand(reading))) };
}

function readCommand({ tool, input }: ToolCall, commands: string[][] | null): ReadCall {
  if (commands === null) {
    const rough = roughCommands(input);
    return {
      tool,
      parts: null,
      readings: withFolderless(rough),
      acts: rough.map(readAct),
      openings: [''],
    };
  }
  const parts = textsOf(inTheirFolders(commands));
  const texts = [...new Set([...textsOf(commands), ...parts])];
  return {
    tool,
    parts: parts.map((text) => [text]),
    readings: withFolderless(texts),
    acts: texts.map(readAct),
    openings: openingsOf(commands),
  };
}

function textsOf(commands: readonly (readonly string[])[]): string[] {
  return [...new Set(commands.map((words) => words.join(' ')))];
}

function withFolderless(commands: readonly string[]): string[] {
  return [...new Set([...commands, ...commands.map(withoutFolders)])];
}

/** `git pus[h]` may be `git push`: what comes from the first wildcard on is for the file system to say. */
function openingsOf(commands: readonly (readonly string[])[]): string[] {
  const openings = commands.flatMap((words) => {
    const wild = words.findIndex((word) => BARE_WILDCARD.test(word));
    const opening = `${words.slice(0, wild).join(' ')} `;
    return wild < 0
      ? []
      : [opening, withoutFolders(opening)].map((text) => text.slice(0, OPENING_CHARACTERS));
  });
  const unique = [...new Set(openings)];
  return unique.length > OPENINGS ? [''] : unique;
}

/** `..` is never resolved to allow something (links make that wrong), but it is to deny. */
function readPath({ tool, input }: ToolCall): ReadCall {
  const path = normalPath(input);
  return path === null
    ? { tool, parts: null, readings: [resolveUp(input)], acts: [], openings: [''] }
    : understood(tool, path);
}

function resolveUp(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..' && segments.length > 0) segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return (path.startsWith('/') ? '/' : '') + segments.join('/');
}

function hostOf(url: string): string | null {
  const parsed = URL.parse(url.trim());
  if (parsed === null || (parsed.protocol !== 'https:' && parsed.protocol !== 'http:')) return null;
  return parsed.hostname.endsWith('.') ? parsed.hostname.slice(0, -1) : parsed.hostname;
}
