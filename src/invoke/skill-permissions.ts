import { z } from 'zod';
import { requirementsOf } from '../compile/requirements-of.ts';
import { byCodeUnit } from '../core/canonical-json.ts';
import type { HookAction } from '../format/hook-schema.ts';
import type { SkillFields } from '../format/skill-fields.ts';

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

/** What another revision asked for that was approved, or else published, before; and what this one gains and loses. */
export const PermissionUpgrade = z.strictObject({
  from: z.string(),
  approved: z.boolean(),
  gained: SkillPermissions,
  lost: SkillPermissions,
});
export type PermissionUpgrade = z.infer<typeof PermissionUpgrade>;

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

/** What is asked for now and was not before, and the other way round. */
export function compareSkillPermissions(
  before: SkillPermissions,
  now: SkillPermissions,
): Pick<PermissionUpgrade, 'gained' | 'lost'> {
  return { gained: without(now, before), lost: without(before, now) };
}

function without(all: SkillPermissions, others: SkillPermissions): SkillPermissions {
  const rest = (name: keyof SkillPermissions): string[] =>
    all[name].filter((line) => !others[name].includes(line));
  return {
    tools: rest('tools'),
    hooks: rest('hooks'),
    shell: rest('shell'),
    network: rest('network'),
    requirements: rest('requirements'),
  };
}

function sorted(lines: readonly string[]): string[] {
  return [...new Set(lines)].toSorted(byCodeUnit);
}
