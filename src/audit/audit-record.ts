import { z } from 'zod';
import type { Space } from '../catalog/layers.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { type AuditAct, AuditActor } from './audit-act.ts';

/** A place in a log: how many records there are up to it, and the digest of the last of them. */
export const ChainLink = z.strictObject({ sequence: z.int().nonnegative(), digest: DigestSchema });
export type ChainLink = z.infer<typeof ChainLink>;

/**
 * One record. `digest` is the SHA-256 of the canonical JSON of all the rest, `previous` the digest of the record before: so
 * that none can be changed, taken out or moved without changing all that follow. The acts of a later version are read as
 * well, which is why they are not named here.
 */
export const AuditRecord = z.strictObject({
  sequence: z.int().positive(),
  /** When it happened, in UTC. Records stand in the order in which they were made, which can be another one. */
  at: z.iso.datetime(),
  act: z.string(),
  actor: AuditActor,
  subject: z.string(),
  details: z.record(z.string(), z.json()),
  previous: DigestSchema,
  digest: DigestSchema,
});
export type AuditRecord = z.infer<typeof AuditRecord>;

/** Where the log of a space begins: no record of another one fits behind it. */
export function genesis(space: Space): ChainLink {
  return { sequence: 0, digest: digestOf(canonicalJson({ audit: 1, space })) };
}

/** A record as the line that is stored and exported, and the place behind it. */
export function chainRecord(
  previous: ChainLink,
  actor: AuditActor,
  { act, subject, details }: AuditAct,
  at: number,
): { line: string; link: ChainLink } {
  const sequence = previous.sequence + 1;
  const content = {
    sequence,
    at: new Date(at).toISOString(),
    act,
    actor,
    subject,
    details,
    previous: previous.digest,
  };
  const digest = digestOf(canonicalJson(content));
  return { line: canonicalJson({ ...content, digest }), link: { sequence, digest } };
}

/** What the digest of a record has to be. */
export function recordDigest(record: AuditRecord): Digest {
  return digestOf(canonicalJson({ ...record, digest: undefined }));
}
