import type { AuditActor } from '../audit/audit-act.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer, Space } from '../catalog/layers.ts';
import type { BlobTier } from '../compile/compile-layer.ts';
import type { Digest } from '../core/digest.ts';
import type { Result } from '../core/result.ts';
import type { BlobStore } from '../view/ports.ts';
import type { Head, ViewRecord } from '../view/view-record.ts';
import type { HeldSkill, Quarantine } from './quarantine.ts';

export interface NewBlob {
  readonly digest: Digest;
  readonly bytes: Uint8Array;
  readonly tier: BlobTier;
}

export interface BlobWriter {
  /** Writes all or throws; writing the same blob again is harmless. */
  write(space: Space, blobs: readonly NewBlob[]): Promise<void>;
}

/** Names of skills, in name order. */
export interface CatalogChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface HeadMove {
  readonly layer: Layer;
  /** The catalog that the head is thought to stand at; null: the layer was never published. */
  readonly expected: Digest | null;
  readonly head: Omit<Head, 'sequence'>;
  /** Entries that the catalog before did not have: they become readable by their revision, for good. */
  readonly added: readonly CatalogEntry[];
  /** What becomes of the skills, by name. */
  readonly changes: CatalogChanges;
  readonly by: AuditActor;
  /** What was let in for the sake of `force` alone, by name; not there: nothing. */
  readonly forced?: readonly string[];
}

/** What owns the heads of a layer and knows which blobs were pushed to it, strongly consistent. */
export interface Catalogs {
  missing(layer: Layer, organisation: string, digests: readonly Digest[]): Promise<Digest[]>;
  recordBlobs(
    layer: Layer,
    organisation: string,
    blobs: readonly { digest: Digest; size: number }[],
  ): Promise<void>;
  view(layer: Layer, organisation: string): Promise<ViewRecord>;
  /** Compare-and-swap; `head_moved` with the current catalog in `data.catalog` when somebody was faster. */
  moveHead(organisation: string, move: HeadMove): Promise<Result<ViewRecord>>;
  /** True where the layer's head has ever stood at this catalog. */
  hasPublished(layer: Layer, organisation: string, catalog: Digest): Promise<boolean>;
}

export interface PushPorts {
  readonly blobs: BlobStore;
  readonly writer: BlobWriter;
  readonly catalogs: Catalogs;
  readonly quarantine: Quarantine;
  /** Told of every skill that was not published, whatever the publisher is told. */
  readonly noteHeld: (held: readonly HeldSkill[]) => void;
}
