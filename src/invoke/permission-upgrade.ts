import { z } from 'zod';
import { SkillPermissions } from '../compile/skill-permissions.ts';

/** What another revision asked for that was approved, or else published, before; and what this one gains and loses. */
export const PermissionUpgrade = z.strictObject({
  from: z.string(),
  approved: z.boolean(),
  gained: SkillPermissions,
  lost: SkillPermissions,
});
export type PermissionUpgrade = z.infer<typeof PermissionUpgrade>;

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
