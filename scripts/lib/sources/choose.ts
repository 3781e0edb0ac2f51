import picomatch from 'picomatch';
import type { Candidate, Choice } from '../../../src/compile/layer-source.ts';
import type { SkillChoice, SourcePlan } from './source-plan.ts';

export interface Choices {
  readonly flags: readonly string[];
  readonly skills: Readonly<Record<string, SkillChoice>>;
}

/**
 * Decides on each skill of a source, in this order: not ignored, included, its flag given, its state. Globs match a
 * skill's name or its path in the source.
 */
export function chooser(
  { layer, ignore = [], include = [] }: SourcePlan,
  { flags, skills }: Choices,
): (candidate: Candidate) => Choice {
  const ignored = matcher(ignore);
  const included = matcher(include);
  return (candidate) => {
    if (ignored(candidate)) return { off: 'is ignored in its source' };
    if (include.length > 0 && !included(candidate)) return { off: 'is not among the included of its source' };
    const choice = lookUp(skills, `${layer}/${candidate.name}`) ?? lookUp(skills, candidate.name);
    if (choice?.flag !== undefined && !flags.includes(choice.flag))
      return { off: `waits for the flag "${choice.flag}"` };
    const state = choice?.state ?? 'auto';
    return state === 'off' ? { off: 'is switched off' } : { listing: state };
  };
}

function matcher(globs: readonly string[]): ({ name, path }: Candidate) => boolean {
  const matches = picomatch([...globs], { dot: true, noextglob: true });
  return ({ name, path }) => globs.length > 0 && (matches(name) || matches(path));
}

function lookUp(skills: Choices['skills'], name: string): SkillChoice | undefined {
  return Object.hasOwn(skills, name) ? skills[name] : undefined;
}
