import { compileFolder } from '../../../src/compile/compile-folder.ts';
import { treeLayout } from '../../../src/compile/layouts/tree.ts';
import { Report } from '../../../src/compile/report.ts';
import { TreeIndex } from '../../../src/compile/tree-index.ts';
import { SCAN_LIMITS } from '../../../src/core/limits.ts';
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

/** What nobody may take for the whole, in words: also what was left out of a list because it was full. */
export function noticesOf({ skills, unread }: TargetScan): string[] {
  const full = `a report lists the worst ${SCAN_LIMITS.findings} findings, and there may be more`;
  return [
    ...unread.map(({ path, reason }) => `not scanned, or not all of it: ${path}: ${reason}`),
    ...skills.flatMap(({ path, complete }) => (complete ? [] : [`not all of it was looked at: ${path}`])),
    ...skills.flatMap(({ path, findings }) =>
      findings.length < SCAN_LIMITS.findings ? [] : [`not all of it is shown: ${path}: ${full}`],
    ),
  ];
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
