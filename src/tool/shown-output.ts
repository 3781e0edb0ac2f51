import { RUN_LIMITS } from '../core/limits.ts';
import type { ToolResult } from '../model/message.ts';
import { FsError } from '../sandbox/fs-basics.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { TEMPORARY_ROOT } from '../sandbox/workspace.ts';
import type { ToolOutput } from './tool.ts';

// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const PICTURES = 0x2400;
const DELETE = 0x7f;

/**
 * An output as a model may see it. What is too long is cut, and all of it kept in a file of the sandbox, where there is
 * room; what a terminal would act on becomes the picture of it.
 */
export async function shownOutput(output: ToolOutput, sandbox: Sandbox, step: number): Promise<ToolResult> {
  const limit = RUN_LIMITS.toolOutputCharacters;
  const stdout = visible(output.stdout);
  const stderr = visible(output.stderr);
  const shownErrors = Math.min(stderr.length, limit / 4);
  return {
    stdout: await cut(stdout, limit - shownErrors, sandbox, `${step}.txt`),
    stderr: await cut(stderr, limit / 4, sandbox, `${step}-errors.txt`),
    exitCode: output.exitCode,
    refused: false,
  };
}

async function cut(text: string, limit: number, sandbox: Sandbox, name: string): Promise<string> {
  if (text.length <= limit) return text;
  const shown = text.slice(0, limit).toWellFormed();
  const kept = await keep(text, sandbox, `${TEMPORARY_ROOT}/outputs/${name}`);
  return `${shown}\n[${text.length - limit} more characters were cut${kept}]\n`;
}

/** What the note says of the file. */
async function keep(text: string, sandbox: Sandbox, path: string): Promise<string> {
  // Whole characters, so that what is kept is a text.
  const room = new Uint8Array(Math.min(3 * text.length, RUN_LIMITS.keptOutputBytes));
  const { read, written } = new TextEncoder().encodeInto(text, room);
  const bytes = room.slice(0, written);
  if (!sandbox.workspace.hasRoomFor(bytes.length)) return '; the workspace has no room for them';
  try {
    await sandbox.write(path, bytes);
  } catch (error) {
    // A script may have put something else there.
    if (error instanceof FsError) return '';
    throw error;
  }
  const all = read === text.length;
  return `; ${all ? 'all of it' : `the first ${written} bytes`} can be read in ${path}`;
}

function visible(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(CONTROL, (character) => String.fromCharCode(pictureOf(character.charCodeAt(0))));
}

function pictureOf(code: number): number {
  if (code < DELETE) return PICTURES + code;
  return code === DELETE ? PICTURES + 0x21 : 0xfffd;
}
