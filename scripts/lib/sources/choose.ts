import picomatch from 'picomatch';
import type { Candidate, Choice } from '../../../src/compile/layer-source.ts';
import type { SkillChoice, SourcePlan } from './source-plan.ts';

export interface Choices {
  readonly flags: readonly string[];
  readonly skills: Readonly<Record<string, SkillChoice>>;
}

/**
 * Decides on each skill of a source, in this order: not ignored, included, its state, its flag. Globs match a
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
    const state = choice?.state ?? 'auto';
    if (state === 'off') return { off: 'is switched off' };
    // A flag that is not given here can still be one of the deployment's or of an organisation's.
    const waits = choice?.flag !== undefined && !flags.includes(choice.flag);
    return { listing: state, flag: waits ? choice.flag : undefined };
  };
}

function matcher(globs: readonly string[]): ({ name, path }: Candidate) => boolean {
  const matches = picomatch([...globs], { dot: true, noextglob: true });
  return ({ name, path }) => globs.length > 0 && (matches(name) || matches(path));
}

function lookUp(skills: Choices['skills'], name: string): SkillChoice | undefined {
  return Object.hasOwn(skills, name) ? skills[name] : undefined;
}
