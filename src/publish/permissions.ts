import { permissionsOf, type SkillPermissions } from '../compile/skill-permissions.ts';
import { PROMPT_LIMITS } from '../core/limits.ts';
import type { SkillFields } from '../format/fields/skill-fields.ts';
import { shellCommands } from '../prompt/shell-commands.ts';

/** What a skill asks for, with what its text and its installers would run: all that it takes to let it in. */
export function installPermissions(fields: SkillFields, body: string): SkillPermissions {
  const declared = permissionsOf(fields);
  // As the mode reads it that takes most for a command.
  const commands = shellCommands(body, 'claude-today').slice(0, PROMPT_LIMITS.commands);
  const installers = fields.install.map(({ kind, source }) => `install: ${kind} ${source}`);
  return {
    ...declared,
    shell: [...declared.shell, ...commands.map(({ text }) => `inline: ${text.trim()}`), ...installers],
    network: [...declared.network, ...installers],
  };
}
