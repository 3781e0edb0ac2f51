import type { Finding, ScanResult, Verdict } from '../scan/finding.ts';

/** What a reader of a skill sees of its scan. */
export interface ShownScan {
  readonly verdict: Verdict;
  readonly complete: boolean;
  readonly rules: number;
  readonly note: string;
  /** Not for agents. */
  readonly findings?: readonly Finding[];
}

const NOTE = 'A scan is evidence, not a verdict of trust.';

/**
 * Findings are for people: an agent that is told what was found in what it wrote learns to write it otherwise. It gets the
 * verdict at most.
 */
export function shownScan(
  { verdict, complete, rules, findings }: ScanResult,
  reader: 'person' | 'agent',
): ShownScan {
  const shown = { verdict, complete, rules, note: NOTE };
  return reader === 'person' ? { ...shown, findings } : shown;
}
