import type { HookAction } from '../format/fields/hook-schema.ts';

type Command = Extract<HookAction, { type: 'command' }>;

/** A command hook as one line for a shell. With arguments of its own, each word is quoted: no shell was to read them. */
export function commandText({ command, args }: Command): string {
  return args === undefined ? command : [command, ...args].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
