import { canonicalJson } from '../core/canonical-json.ts';
import { digestOf, hexOf } from '../core/digest.ts';
import type { RunAddress } from '../invoke/runs/run-contract.ts';
import type { StoredStart } from './stored-start.ts';

/** A run above or below, which this one may reach whatever layers its caller is bound to. */
export function relatedRun({ organisation }: StoredStart, id: string): RunAddress {
  return { organisation, id, boundTo: null };
}

/** The run that a step starts below its own. Told by the step alone, it is started once, and found whoever died meanwhile. */
export function idBelow(parent: string, step: number): string {
  return `run_${hexOf(digestOf(canonicalJson([parent, step]))).slice(0, 26)}`;
}
