import { firstRequirements, Requirement, type RequirementKind } from '../catalog/requirement.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import type { Requires } from '../format/requires/requires.ts';

/**
 * What a catalog row says of a skill's needs. Platforms have a place of their own there, and what is optional is none. A
 * requirement that is too long for a row is left out as a whole: half of its names would ask for more than its author does.
 */
export function requirementsOf(requires: Requires | null): Requirement[] {
  if (requires === null) return [];
  const { bins, env, tools, mcpServers, config, skills } = requires;
  const all: Requirement[] = [
    ...needed('bins', bins.all),
    ...bins.any.map((names): Requirement => ({ kind: 'bins', oneOf: [...new Set(names)] })),
    ...needed('env', named(env.filter(({ optional }) => !optional))),
    ...needed('tools', tools),
    ...needed('mcpServers', named(mcpServers)),
    ...needed('config', config),
    ...needed('skills', skills),
  ];
  return firstRequirements(
    all.filter((requirement) => Requirement.safeParse(requirement).success),
    SKILL_LIMITS.entryRequirements,
    SKILL_LIMITS.entryRequirementsCharacters,
  );
}

function needed(kind: RequirementKind, names: readonly string[]): Requirement[] {
  return names.map((name) => ({ kind, oneOf: [name] }));
}

function named(items: readonly { readonly name: string }[]): string[] {
  return items.map(({ name }) => name);
}
