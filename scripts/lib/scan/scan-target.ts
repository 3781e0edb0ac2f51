import { compileFolder } from '../../../src/compile/compile-folder.ts';
import { treeLayout } from '../../../src/compile/layouts/tree.ts';
import { Report } from '../../../src/compile/report.ts';
import { TreeIndex } from '../../../src/compile/tree-index.ts';
import type { ScanResult } from '../../../src/scan/finding.ts';
import type { Target } from '../validate/target.ts';

/** One skill that was scanned. `path` is its folder, from the working directory; findings have paths below it. */
export interface ScannedSkill extends ScanResult {
  readonly skill: string;
  readonly path: string;
}

export interface TargetScan {
  readonly skills: readonly ScannedSkill[];
  /** Folders of skills that could not be read, and why: nobody knows what is in them. */
  readonly unread: readonly { readonly path: string; readonly reason: string }[];
}

/** Scans every skill of a tree as a build would. */
export async function scanTarget(
  { tree, pathFromHere }: Target,
  progress: (done: number, all: number) => void,
): Promise<TargetScan> {
  const { definitions } = await treeLayout(new TreeIndex(tree.files), '');
  const skills: ScannedSkill[] = [];
  const unread: { path: string; reason: string }[] = [];
  for (const [index, definition] of definitions.entries()) {
    const compiled = await compileFolder(definition);
    const path = pathFromHere(compiled.folder);
    const missing = compiled.diagnostics.find(({ severity }) => severity === 'error');
    if (compiled.skill) {
      const { name, scan } = Report.parse(JSON.parse(compiled.skill.report.text));
      skills.push({ skill: name, path, ...scan });
    }
    if (missing) unread.push({ path, reason: missing.message });
    progress(index + 1, definitions.length);
  }
  return { skills, unread };
}
