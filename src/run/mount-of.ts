import { spaceOf } from '../catalog/layers.ts';
import type { MountedSkill } from '../sandbox/sandbox.ts';
import type { StoredStart } from './stored-start.ts';

/** The files of a run's skill, as its sandbox has them. */
export function mountOf({ skill, organisation }: StoredStart): MountedSkill {
  return { directory: skill.directory, files: skill.files, space: spaceOf(skill.layer, organisation) };
}
