import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer, Space } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import type { DocumentKind } from './json-document.ts';
import type { TokenRecord } from './token.ts';
import type { ViewRecord } from './view-record.ts';

export interface WantedBlob {
  readonly space: Space;
  readonly digest: Digest;
  /** Where it was put: hot ones are looked for in KV first. Default hot. */
  readonly tier?: 'hot' | 'cold';
  /** Bytes, where known, so that bulk reads stay within what one answer may hold. */
  readonly size?: number;
}

/**
 * Content-addressed reads. Bytes are checked against their digest before they are returned, and never served otherwise.
 * `null`: no such blob in this space.
 */
export interface BlobStore {
  readMany(wanted: readonly WantedBlob[]): Promise<(Uint8Array | null)[]>;
  /**
   * Parsed hot documents, remembered for as long as memory allows. Only bytes that match their digest are parsed; null
   * where there is no such blob or it is not of this kind.
   */
  readDocuments<Document>(
    wanted: readonly WantedBlob[],
    kind: DocumentKind<Document>,
  ): Promise<(Document | null)[]>;
}

/** The token and the view records that one request needs, read together in one round. */
export interface Records {
  read(token: { readonly hash: Digest } | null, layers: readonly Layer[], organisation: string): Promise<RecordSet>;
  /** The authoritative records of some layers, from the objects that own them: past every cache. */
  readFresh(layers: readonly Layer[], organisation: string): Promise<ViewRecord[]>;
}

export interface RecordSet {
  readonly token: TokenRecord | null;
  /** One for each layer asked for, in that order; a layer without one was never published. */
  readonly views: readonly (ViewRecord | null)[];
}

/** Entries of revisions that are not current any more; what was published once stays readable until it is revoked. */
export interface PastRevisions {
  byRevision(layers: readonly Layer[], organisation: string, revision: Digest): Promise<(CatalogEntry | null)[]>;
  byVersion(layers: readonly Layer[], organisation: string, name: string, version: string): Promise<(CatalogEntry | null)[]>;
}
