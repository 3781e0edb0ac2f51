import { z } from 'zod';
import type { AuditActor } from '../audit/audit-act.ts';
import { CatalogEntry } from '../catalog/catalog-entry.ts';
import { Layer } from '../catalog/layers.ts';
import { FlagName } from '../catalog/merkle-catalog.ts';
import { Trust } from '../catalog/provenance.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf, hexOf } from '../core/digest.ts';
import type { Problem } from '../core/problem.ts';
import type { Result } from '../core/result.ts';
import { Finding, Verdict } from '../scan/finding.ts';
import { InstallDecision } from '../view/settings/install-rules.ts';
import { Actor } from '../view/token.ts';

/** A revision that somebody wanted to publish in a layer, and why it was not. Its blobs are in the layer's space. */
export const HeldSkill = z.strictObject({
  id: z.string(),
  layer: Layer,
  /** The row that it would have had, and the flag that it would have waited for. */
  entry: CatalogEntry,
  flag: FlagName.nullable(),
  origin: Trust,
  verdict: Verdict,
  /** False: the scan did not look at all of it. */
  complete: z.boolean(),
  decision: InstallDecision.exclude(['allow']),
  /** What was found when it was published, beside what its report has: that depends on the skills that were there. */
  findings: z.array(Finding),
  /** Who published it: the token's label, and what the token says of its holder. */
  by: z.string(),
  actor: Actor,
});
export type HeldSkill = z.infer<typeof HeldSkill>;

export const QuarantineStatus = z.enum(['held', 'accepted', 'rejected']);
export type QuarantineStatus = z.infer<typeof QuarantineStatus>;

export const QuarantineRecord = HeldSkill.extend({
  status: QuarantineStatus,
  /** In the order in which they were held. */
  sequence: z.int(),
  heldAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedAt: z.string().nullable(),
  /** The catalog that it was published with; null: it was not. */
  catalog: DigestSchema.nullable(),
});
export type QuarantineRecord = z.infer<typeof QuarantineRecord>;

/** The same revision in the same layer is the same question: it is asked once, and its answer holds for later pushes. */
export function quarantineId(
  organisation: string,
  layer: Layer,
  { name, revision }: Pick<CatalogEntry, 'name' | 'revision'>,
): string {
  return `qua_${hexOf(digestOf(canonicalJson({ organisation, layer, name, revision }))).slice(0, 32)}`;
}

export interface QuarantineQuery {
  readonly status: QuarantineStatus;
  /** The only layers that may be seen; null: all. */
  readonly layers: readonly Layer[] | null;
  /** Those held before this one, newest first; null: from the newest on. */
  readonly before: number | null;
  readonly limit: number;
}

export interface QuarantineAnswer {
  readonly id: string;
  readonly status: 'accepted' | 'rejected';
  readonly by: AuditActor;
}

/** What owns an organisation's quarantine, strongly consistent. */
export interface Quarantine {
  /** Keeps skills of one layer that are not known yet, and says what became of each before, in their order. */
  hold(organisation: string, skills: readonly HeldSkill[], by: AuditActor): Promise<QuarantineStatus[]>;
  /** What `hold` would say, without keeping anything; `held` for what is not known. */
  look(organisation: string, ids: readonly string[]): Promise<QuarantineStatus[]>;
  list(organisation: string, query: QuarantineQuery): Promise<QuarantineRecord[]>;
  read(organisation: string, id: string): Promise<QuarantineRecord | null>;
  decide(organisation: string, answer: QuarantineAnswer): Promise<Result<QuarantineRecord>>;
  /** Notes that an accepted revision was published. */
  published(organisation: string, id: string, catalog: Digest): Promise<void>;
}

export function unknownHeld(): Problem {
  return {
    code: 'quarantine_unknown',
    detail: 'nothing with this id is held',
    hint: 'GET /v1/quarantine lists what is.',
  };
}
