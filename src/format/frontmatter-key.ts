import type { Json } from '../core/canonical-json.ts';

/** One top-level key as it was written. */
export interface FrontmatterKey {
  readonly value: Json;
  /** The scalar's own spelling, so that `version: 1.10` stays `1.10`; null for lists and maps. */
  readonly source: string | null;
  /** 1-based line in the file. */
  readonly line: number;
}
