import type { ScanResult } from '../scan/finding.ts';
import type { Principal } from './principal.ts';

/** Stands wherever people see what a scan found. */
export const SCAN_NOTICE = 'A scan is evidence, not a verdict of trust.';

/** What a token is told of a scan: an agent may have written the skill, and would learn from findings how to hide. */
export function shownScan({ actor }: Pick<Principal, 'actor'>, scan: ScanResult) {
  return actor === 'agent' ? { verdict: scan.verdict } : { ...scan, notice: SCAN_NOTICE };
}
