import type { Finding, Severity, Verdict } from './finding.ts';

/** From the least to the worst. */
export const SEVERITIES: readonly Severity[] = ['info', 'warn', 'critical'];

/** A finding, and whether a warning of it is one for caution. */
export interface Weighed {
  readonly finding: Finding;
  readonly caution: boolean;
}

export function verdictOf(all: readonly Weighed[], complete: boolean): Verdict {
  if (all.some(({ finding }) => finding.severity === 'critical')) return 'dangerous';
  if (!complete || all.some(({ finding, caution }) => caution && finding.severity === 'warn'))
    return 'caution';
  return 'safe';
}

/** The worst findings, each once, in the order of files and lines among equals. */
export function keepWorst(all: readonly Weighed[], most: number): Finding[] {
  const once = new Map(all.map(({ finding }) => [`${finding.hash} ${finding.line}`, finding]));
  return [...once.values()]
    .toSorted((left, right) => SEVERITIES.indexOf(right.severity) - SEVERITIES.indexOf(left.severity))
    .slice(0, most);
}
