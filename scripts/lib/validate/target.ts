import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { diskTree } from '../disk-tree.ts';
import { mountTree } from '../mount-tree.ts';
import type { SourceTree } from '../../../src/compile/source-tree.ts';
import { SKILL_FILE_NAME } from '../../../src/format/parse-skill.ts';

/** What the command was pointed at: a tree to compile, and how its paths look from the working directory. */
export interface Target {
  readonly tree: SourceTree;
  pathFromHere(path: string): string;
}

/**
 * A folder, or a SKILL.md, which stands for its folder. Null where there is neither. A folder that is a skill itself is
 * looked at from the folder above it, since its name is a part of what is checked.
 */
export function openTarget(named: string, ignore: readonly string[] = []): Target | null {
  const stats = statSync(named, { throwIfNoEntry: false });
  const isSkillFile = stats?.isFile() === true && basename(named) === SKILL_FILE_NAME;
  if (!isSkillFile && !stats?.isDirectory()) return null;
  const folder = isSkillFile ? dirname(resolve(named)) : resolve(named);
  const tree = diskTree(folder, { ignore });
  const isSkill = tree.files.some(({ path }) => path === SKILL_FILE_NAME) && dirname(folder) !== folder;
  const root = isSkill ? dirname(folder) : folder;
  return {
    tree: isSkill ? mountTree(tree, basename(folder)) : tree,
    pathFromHere: (path) => relative('', join(root, path)).split(sep).join('/') || '.',
  };
}
