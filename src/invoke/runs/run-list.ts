import { z } from 'zod';
import type { AuditReport } from '../../audit/audit-act.ts';
import { type Layer, UsedLayer } from '../../catalog/layers.ts';
import { ShownStatus } from './run-contract.ts';

/** A run as lists have it. What it is doing right now, only the run itself says. */
export const ListedRun = z.strictObject({
  id: z.string(),
  status: ShownStatus,
  skill: z.strictObject({ name: z.string(), layer: UsedLayer, revision: z.string() }),
  agent: z.string(),
  /** The run that started it. */
  parent: z.string().nullable(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});
export type ListedRun = z.infer<typeof ListedRun>;

export interface RunPage {
  readonly runs: readonly ListedRun[];
  /** Give it back as `cursor=` for the next page; null at the end. */
  readonly next: string | null;
}

/** What a run tells its organisation, which keeps all of it or nothing. */
export interface RunNews {
  /** How it stands, and who may see it; null where the list knows. */
  readonly listed: { readonly boundTo: readonly Layer[] | null; readonly run: ListedRun } | null;
  /** For the audit log. */
  readonly reports: readonly AuditReport[];
}

/** The runs of each organisation, the newest first. A run tells of itself, so that the list can be a moment behind. */
export interface RunList {
  tell(organisation: string, news: RunNews): Promise<void>;
  /** Of a reader with these bounds: all runs, or those of the same ones. `cursor`: null at the beginning. */
  list(
    organisation: string,
    boundTo: readonly Layer[] | null,
    cursor: string | null,
    limit: number,
  ): Promise<RunPage>;
}
