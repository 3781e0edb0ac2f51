import { byCodeUnit } from '../core/canonical-json.ts';
import type { Requires } from '../format/requires.ts';
import type { SkillFields } from '../format/skill-fields.ts';
import { intendedTool } from '../policy/tool-kind.ts';
import { shellCommands } from '../prompt/shell-commands.ts';

/** What a skill asks for, as a person should see it before it is let in. A request, never a grant. */
export interface Permissions {
  readonly tools: readonly string[];
  /** `PreToolUse command`, each once. */
  readonly hooks: readonly string[];
  /** Something of it runs commands: its tools, its hooks, its text, or what installs its programs. */
  readonly shell: boolean;
  readonly network: boolean;
  readonly requires: Requires | null;
}

const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);
const NETWORK: ReadonlySet<string> = new Set(['WebFetch', 'WebSearch']);

/** Of the fields and the body of one skill. */
export function permissionsOf(fields: SkillFields, body: string): Permissions {
  const tools = fields.allowedTools;
  const named = tools.map((rule) => intendedTool(rule.split('(', 1)[0]?.trim() ?? ''));
  const actions = Object.entries(fields.hooks ?? {}).flatMap(([event, groups]) =>
    groups.flatMap(({ hooks }) => hooks.map(({ type }) => ({ event, type }))),
  );
  const hooks = new Set(actions.map(({ event, type }) => `${event} ${type}`));
  return {
    tools,
    hooks: [...hooks].toSorted(byCodeUnit),
    shell:
      named.some((tool) => SHELLS.has(tool)) ||
      actions.some(({ type }) => type === 'command') ||
      fields.install.length > 0 ||
      shellCommands(body, 'claude-today').length > 0,
    network:
      named.some((tool) => NETWORK.has(tool)) ||
      actions.some(({ type }) => type === 'http') ||
      fields.install.length > 0,
    requires: fields.requires,
  };
}
