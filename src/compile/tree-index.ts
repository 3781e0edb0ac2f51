import { byCodeUnit } from '../core/canonical-json.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { isLoose, type SkillFolder } from './skill-folder.ts';
import type { SourceFile } from './source-tree.ts';

/** A file with its path below some folder. */
export interface Part {
  readonly path: string;
  readonly file: SourceFile;
}

/** A tree's files in path order, so that all files below a folder stand together. */
export class TreeIndex {
  readonly #files: readonly SourceFile[];

  constructor(files: readonly SourceFile[]) {
    this.#files = files.toSorted((left, right) => byCodeUnit(left.path, right.path));
  }

  /** Every file below a folder, at any depth; `''` is the tree itself. */
  below(folder: string): Part[] {
    const prefix = folder === '' ? '' : `${folder}/`;
    const parts: Part[] = [];
    for (let position = this.#lowerBound(prefix); position < this.#files.length; position += 1) {
      const file = this.#files[position];
      if (!file?.path.startsWith(prefix)) break;
      parts.push({ path: file.path.slice(prefix.length), file });
    }
    return parts;
  }

  file(path: string): SourceFile | null {
    const file = this.#files[this.#lowerBound(path)];
    return file?.path === path ? file : null;
  }

  /** The skill of a folder that has a SKILL.md. */
  skill(folder: string): SkillFolder | null {
    const skillFile = this.file(inFolder(folder, SKILL_FILE_NAME));
    return skillFile ? { folder, skillFile, files: this.below(folder) } : null;
  }

  #lowerBound(path: string): number {
    let low = 0;
    let high = this.#files.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (byCodeUnit(this.#files[middle]?.path ?? '', path) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A file that is a skill by itself. */
export function looseSkill(file: SourceFile): SkillFolder {
  return { folder: file.path, skillFile: file, files: [{ path: SKILL_FILE_NAME, file }] };
}

/** A path in the tree, of a path in a folder of it. */
export function inFolder(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Where a skill's SKILL.md lies in the tree. */
export function skillFilePath(skill: SkillFolder): string {
  return isLoose(skill) ? skill.folder : inFolder(skill.folder, SKILL_FILE_NAME);
}
