import { byCodeUnit } from '../core/canonical-json.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import type { SourceFile } from './source-tree.ts';

/** A folder with a SKILL.md and everything below it, paths relative to the folder. */
export interface SkillFolder {
  readonly folder: string;
  readonly skillFile: SourceFile;
  readonly files: readonly { readonly path: string; readonly file: SourceFile }[];
}

/**
 * Every folder with a SKILL.md is a skill, at any depth, and what lies below belongs to it. A skill inside another one's
 * folder is therefore both: a skill of its own, and files of the outer one, whose text may point at them.
 */
export function findSkills(files: readonly SourceFile[]): SkillFolder[] {
  const sorted = files.toSorted((left, right) => byCodeUnit(left.path, right.path));
  const skillFiles = sorted.filter((file) => baseName(file.path) === SKILL_FILE_NAME);
  return skillFiles.map((skillFile) => {
    const folder = skillFile.path.slice(0, Math.max(0, skillFile.path.length - SKILL_FILE_NAME.length - 1));
    const prefix = folder === '' ? '' : `${folder}/`;
    const start = lowerBound(sorted, prefix);
    const below: { path: string; file: SourceFile }[] = [];
    for (let index = start; index < sorted.length; index += 1) {
      const file = sorted[index];
      if (!file || !file.path.startsWith(prefix)) break;
      below.push({ path: file.path.slice(prefix.length), file });
    }
    return { folder, skillFile, files: below };
  });
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The first file whose path is not before the prefix: all files below a folder stand together in path order. */
function lowerBound(files: readonly SourceFile[], prefix: string): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (byCodeUnit(files[middle]?.path ?? '', prefix) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
