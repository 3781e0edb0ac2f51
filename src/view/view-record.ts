import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { LeafReferences } from '../catalog/leaves.ts';
import { Gates } from '../catalog/merkle-catalog.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { PolicyRule } from '../policy/rule.ts';
import { OrgSettings } from './settings/org-settings.ts';
import { UsageSnapshot } from './usage-snapshot.ts';

/**
 * The only mutable thing: which catalog a layer stands at. The root's shard table is in it, so that a lookup needs the
 * view, one shard, and then the blob.
 */
export const Head = z.strictObject({
  sequence: z.int().positive(),
  catalog: DigestSchema,
  /** The listing index, and its pages, so that a listing reads them as soon as it has the view. */
  index: DigestSchema,
  /** Not there where the index is a single page itself, as it once was. */
  pages: LeafReferences.optional(),
  entries: z.int().nonnegative(),
  shards: LeafReferences,
  /** Of the root as well: what is not there without a flag must be known before anything is looked up. */
  gates: Gates.optional(),
});
export type Head = z.infer<typeof Head>;

/**
 * What is read before anything else: one for each layer. `settings` and `usage` are in the record of the layer `org` only.
 * Not strict: while a deployment is rolled out, older isolates read what newer ones wrote.
 */
export const ViewRecord = z.object({
  version: z.literal(1),
  layer: Layer,
  head: Head.nullable(),
  settings: OrgSettings.nullable(),
  /** Not there where nothing was used yet. */
  usage: UsageSnapshot.optional(),
  /** Rules of the layer, beside those of the settings; not there where it has none. */
  policy: z.array(PolicyRule).optional(),
});
export type ViewRecord = z.infer<typeof ViewRecord>;
