import type { Findings } from './check-target.ts';
import { countCodes, countSeverities } from './count-codes.ts';

/** One object with everything, for programs. A diagnostic without a column is about its whole line. */
export function formatJson({ skills, notLoaded, diagnostics }: Findings): string {
  return JSON.stringify({
    version: 1,
    skills: skills.length,
    notLoaded,
    totals: countSeverities(diagnostics),
    codes: countCodes(diagnostics),
    diagnostics,
  });
}
