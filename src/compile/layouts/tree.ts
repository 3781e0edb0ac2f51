import { SKILL_FILE_NAME } from '../../format/parse-skill.ts';
import { type Layout, plainDefinition } from '../definition.ts';
import { baseName, parentOf } from '../tree-index.ts';

/**
 * Every folder with a SKILL.md is a skill, at any depth, and what lies below belongs to it. A skill inside another one's
 * folder is therefore both: a skill of its own, and files of the outer one, whose text may point at them.
 */
export const treeLayout: Layout = (index, root) => {
  const skills = index.below(root).flatMap(({ file }) => {
    const skill = baseName(file.path) === SKILL_FILE_NAME ? index.skill(parentOf(file.path)) : null;
    return skill ? [plainDefinition(skill)] : [];
  });
  return { definitions: skills, diagnostics: [] };
};
