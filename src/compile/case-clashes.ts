import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import type { SkillFolder } from './skill-folder.ts';

/**
 * Files that differ only by case, or by how an accent is written: two files here, and one on the disks of macOS and
 * Windows, where the skill would come out different.
 */
export function caseClashes(skills: readonly SkillFolder[]): Diagnostic[] {
  const spellings = new Map<string, string>();
  const clashes: Diagnostic[] = [];
  for (const { files } of skills) {
    for (const { file } of files) {
      const key = file.path.normalize('NFC').toLowerCase();
      const first = spellings.get(key) ?? file.path;
      spellings.set(key, first);
      if (first === file.path) continue;
      clashes.push(diagnostic('path-case', file.path, 1, `the same as ${first}, but for case`));
    }
  }
  return clashes;
}
