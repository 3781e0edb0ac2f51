import type { SourceFile } from './source-tree.ts';

/**
 * A skill's files, paths relative to the skill. `folder` is the folder that holds them; where the skill is one loose
 * file (a command), it is that file's own path, and `files` has it alone, as SKILL.md.
 */
export interface SkillFolder {
  readonly folder: string;
  readonly skillFile: SourceFile;
  readonly files: readonly { readonly path: string; readonly file: SourceFile }[];
}

export function isLoose({ folder, skillFile }: SkillFolder): boolean {
  return folder === skillFile.path;
}
