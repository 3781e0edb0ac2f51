import type { ListingState } from '../fit-listing.ts';
import type { RankedEntry } from '../share-room.ts';

/** A listing as another system would fit it. Its budget is its own, and it may well exceed it. */
export interface ProfileListing {
  readonly text: string;
  readonly used: number;
  readonly budget: number;
  readonly unit: 'characters' | 'columns' | 'tokens';
  /** Parallel to the entries. */
  readonly states: readonly ListingState[];
}

export interface ProfileInput {
  readonly entries: readonly RankedEntry[];
  readonly contextWindow: number | null;
}

/** One line of a profile, before it is joined to the others. */
export interface ProfileLine {
  readonly line: string | null;
  readonly state: ListingState;
}

/** What became of a text of `full` characters of which `printed` are left. */
export function stateOf(full: number, printed: number): ListingState {
  if (printed === full) return 'full';
  return printed === 0 ? 'nameOnly' : 'shortened';
}

export function joinLines(lines: readonly ProfileLine[]): string {
  return lines.flatMap(({ line }) => (line === null ? [] : [line])).join('\n');
}
