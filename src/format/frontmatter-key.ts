import type { Json } from '../core/canonical-json.ts';

/** The way into a value: member names and list positions, from the outside in. */
export type ValuePath = readonly (string | number)[];

/** Where something was written. Both count from 1; the column is left out where only the line is known. */
export interface Place {
  readonly line: number;
  readonly column?: number;
}

/** One top-level key as it was written. */
export interface FrontmatterKey {
  readonly value: Json;
  /** The scalar's own spelling, so that `version: 1.10` stays `1.10`; null for lists and maps. */
  readonly source: string | null;
  /** 1-based line in the file. */
  readonly line: number;
  /** The place of what lies at `path` inside the value, or of the nearest thing around it that was written. */
  readonly placeAt: (path: ValuePath) => Place;
}
