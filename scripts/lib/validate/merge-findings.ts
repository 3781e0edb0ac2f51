import { byCodeUnit } from '../../../src/core/canonical-json.ts';
import type { Diagnostic } from '../../../src/format/diagnostic.ts';
import type { Findings } from './check-target.ts';

/** Several targets as one, in the order of paths and lines. What lies in two of them is said once. */
export function mergeFindings(all: readonly Findings[]): Findings {
  const diagnostics = new Map<string, Diagnostic>();
  for (const entry of all.flatMap((findings) => findings.diagnostics)) {
    const { path, line, column = 1, code, message } = entry;
    diagnostics.set([path, line, column, code, message].join('\n'), entry);
  }
  const paths = (of: (findings: Findings) => readonly string[]): string[] =>
    [...new Set(all.flatMap(of))].toSorted(byCodeUnit);
  return {
    skills: paths((findings) => findings.skills),
    notLoaded: paths((findings) => findings.notLoaded),
    diagnostics: [...diagnostics.values()].toSorted(byPlace),
  };
}

function byPlace(left: Diagnostic, right: Diagnostic): number {
  return (
    byCodeUnit(left.path, right.path) ||
    left.line - right.line ||
    (left.column ?? 1) - (right.column ?? 1) ||
    byCodeUnit(left.code, right.code)
  );
}
