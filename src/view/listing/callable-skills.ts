import type { ChosenSkills, UnlistedReason } from './choose-skills.ts';
import type { MergedListing, MergedSkill } from './merge-listing.ts';

/** A skill that is of no use to the host is not to be started there, either. */
const NO_USE: ReadonlySet<UnlistedReason> = new Set([
  'other-platform',
  'other-product',
  'requirement-missing',
]);

/**
 * Names of all skills that a model may start in a listing's moment. Null where there are more than those that the listing
 * speaks of (manual ones, those that wait for a path, those behind a layer, those beyond the index): a tool that takes
 * these names alone would keep the others from being called, and one that takes theirs would list them.
 */
export function callableNames(
  { skills, shadowed, beyondIndex }: MergedListing,
  { listed, unlisted }: Pick<ChosenSkills, 'listed' | 'unlisted'>,
): readonly string[] | null {
  const told = new Set<MergedSkill>(listed.map(({ skill }) => skill));
  const useless = new Set(unlisted.flatMap(({ skill, reason }) => (NO_USE.has(reason) ? [skill] : [])));
  const callable = skills.filter((skill) => skill.listing !== 'manual' && !useless.has(skill));
  const complete = callable.every((skill) => told.has(skill)) && shadowed.length + beyondIndex === 0;
  return complete ? callable.map(({ entry }) => entry.name) : null;
}
