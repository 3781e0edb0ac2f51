import { byCodeUnit } from '../../../src/core/canonical-json.ts';
import type { Diagnostic } from '../../../src/format/diagnostic.ts';

export type Severity = Diagnostic['severity'];
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

export interface CodeCount {
  readonly count: number;
  readonly severity: Severity;
  readonly code: string;
}

/** One row for each code, the worst first, and the most frequent first among equals. */
export function countCodes(diagnostics: readonly Diagnostic[]): CodeCount[] {
  const rows = Map.groupBy(diagnostics, ({ severity, code }) => `${severity} ${code}`);
  return [...rows.values()]
    .flatMap((entries) => {
      const [first] = entries;
      return first ? [{ count: entries.length, severity: first.severity, code: first.code }] : [];
    })
    .toSorted(
      (left, right) =>
        SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity) ||
        right.count - left.count ||
        byCodeUnit(left.code, right.code),
    );
}

export function countSeverities(diagnostics: readonly Diagnostic[]): Record<Severity, number> {
  const count = (severity: Severity): number =>
    diagnostics.filter((entry) => entry.severity === severity).length;
  return { error: count('error'), warning: count('warning'), info: count('info') };
}
