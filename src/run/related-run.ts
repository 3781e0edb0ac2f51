import type { RunAddress } from '../invoke/run-contract.ts';
import type { StoredStart } from './stored-start.ts';

/** A run above or below, which this one may reach whatever layers its caller is bound to. */
export function relatedRun({ organisation }: StoredStart, id: string): RunAddress {
  return { organisation, id, boundTo: null };
}
