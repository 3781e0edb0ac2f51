import { Layer } from '../catalog/layers.ts';
import { MENTION_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import type { Mention } from './mention.ts';

/** A word of a name's characters with one slash before it, and perhaps a layer in front of the name. */
const COMMAND = /\/(?<skill>skill:)?(?<name>[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.:@/-]*)(?=\s|$)/uy;
const SPACE = /\s*/y;

/**
 * The commands at the beginning of a text: `/name`, `/skill:name`, or several stacked (`/a /b arguments`). Which of
 * several are skills that can be stacked is for the caller to say; what follows the last of those are the arguments of all.
 */
export function slashCommands(text: string): Mention[] {
  const commands: Mention[] = [];
  let at = skipSpace(text, 0);
  while (commands.length < MENTION_LIMITS.stackedCommands) {
    COMMAND.lastIndex = at;
    const match = COMMAND.exec(text);
    const name = match?.groups?.['name'] ?? '';
    if (!match || !isCommandName(name)) break;
    const end = at + match[0].length;
    const syntax = match.groups?.['skill'] === undefined ? 'slash' : 'skill-command';
    commands.push({ start: at, end, syntax, name, path: null, args: null });
    at = skipSpace(text, end);
  }
  return commands;
}

/** A slash in a name stands behind a layer; anything else with one, such as `/usr/bin`, is a path. */
function isCommandName(name: string): boolean {
  const slash = name.indexOf('/');
  if (name.length > SKILL_LIMITS.commandNameCharacters) return false;
  return slash === -1 || (Layer.safeParse(name.slice(0, slash)).success && slash < name.length - 1);
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}
