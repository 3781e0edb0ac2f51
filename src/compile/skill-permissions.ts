import { z } from 'zod';
import { byCodeUnit } from '../core/canonical-json.ts';
import type { HookAction } from '../format/fields/hook-schema.ts';
import type { SkillFields } from '../format/fields/skill-fields.ts';
import { requirementsOf } from './requirements-of.ts';

const Lines = z.array(z.string());

/** What a skill asks for, line by line, as a person is shown it before saying yes. Each list is sorted. */
export const SkillPermissions = z.strictObject({
  /** Tool patterns that it wants allowed. */
  tools: Lines,
  /** `EVENT MATCHER: what is done`. */
  hooks: Lines,
  /** Of these tools and hooks, those that run commands. */
  shell: Lines,
  /** And those that reach a network, or a server. */
  network: Lines,
  /** `kind: name`, or names of which one is enough. */
  requirements: Lines,
});
export type SkillPermissions = z.infer<typeof SkillPermissions>;

type Declared = Pick<SkillFields, 'allowedTools' | 'shell' | 'hooks' | 'requires'>;

const SHELL = /^(?:Bash|PowerShell)\b|^\*/;
const NETWORK = /^(?:WebFetch|WebSearch|mcp__|\*)/;

/** What the fields of a report ask for. */
export function permissionsOf(fields: Declared): SkillPermissions {
  const known = answers.get(fields) ?? readPermissions(fields);
  answers.set(fields, known);
  return known;
}

/** Reports are remembered and never change. */
const answers = new WeakMap<object, SkillPermissions>();

function readPermissions({ allowedTools, shell, hooks, requires }: Declared): SkillPermissions {
  const actions = Object.entries(hooks ?? {}).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: ofGroup }) =>
      ofGroup.map((action) => ({
        action,
        line: `${event}${matcher === undefined ? '' : ` ${matcher}`}: ${actionText(action)}`,
      })),
    ),
  );
  const linesOf = (...types: HookAction['type'][]): string[] =>
    actions.filter(({ action }) => types.includes(action.type)).map(({ line }) => line);
  return {
    tools: sorted(allowedTools),
    hooks: sorted(actions.map(({ line }) => line)),
    shell: sorted([
      ...allowedTools.filter((tool) => SHELL.test(tool)),
      ...(shell === null ? [] : [`shell: ${shell}`]),
      ...linesOf('command'),
    ]),
    network: sorted([...allowedTools.filter((tool) => NETWORK.test(tool)), ...linesOf('http', 'mcp_tool')]),
    requirements: sorted(requirementsOf(requires).map(({ kind, oneOf }) => `${kind}: ${oneOf.join(' or ')}`)),
  };
}

function actionText(action: HookAction): string {
  switch (action.type) {
    case 'command':
      return `command ${[action.command, ...(action.args ?? [])].join(' ')}`;
    case 'http':
      return `http ${action.url}`;
    case 'mcp_tool':
      return `mcp_tool ${action.server} ${action.tool}`;
    default:
      return `${action.type} ${action.prompt}`;
  }
}

function sorted(lines: readonly string[]): string[] {
  return [...new Set(lines)].toSorted(byCodeUnit);
}
