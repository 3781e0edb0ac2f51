import { compileLayer } from '../../../src/compile/compile-layer.ts';
import type { Diagnostic } from '../../../src/format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../../../src/format/parse-skill.ts';
import type { Target } from './target.ts';

/** What validating found. Paths are relative to the working directory. */
export interface Findings {
  /** Every SKILL.md that was looked at. */
  readonly skills: readonly string[];
  /** Those of them that did not load. */
  readonly notLoaded: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Compiles a tree as the build would, and keeps only what was said about it. */
export async function checkTarget(
  { tree, pathFromHere }: Target,
  progress: (done: number, all: number) => void = () => {},
): Promise<Findings> {
  const layer = await compileLayer('org', tree, { put() {} }, { progress });
  return {
    skills: tree.files.flatMap(({ path }) => (isSkill(path) ? [pathFromHere(path)] : [])),
    notLoaded: layer.notLoaded.map((folder) =>
      pathFromHere(folder === '' ? SKILL_FILE_NAME : `${folder}/${SKILL_FILE_NAME}`),
    ),
    diagnostics: layer.diagnostics.map((entry) => ({ ...entry, path: pathFromHere(entry.path) })),
  };
}

function isSkill(path: string): boolean {
  return path === SKILL_FILE_NAME || path.endsWith(`/${SKILL_FILE_NAME}`);
}
