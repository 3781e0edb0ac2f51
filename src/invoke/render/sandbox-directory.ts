import type { PreparedSkill } from '../prepare-skill.ts';

/** Where a skill's files are mounted in a sandbox. */
export function sandboxDirectory({ found }: Pick<PreparedSkill, 'found'>): string {
  return `/skills/${encodeURIComponent(found.entry.name)}`;
}
