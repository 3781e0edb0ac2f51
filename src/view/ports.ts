import type { AuditActor, AuditReport } from '../audit/audit-act.ts';
import type { ChainLink } from '../audit/audit-record.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer, Space } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import type { Result } from '../core/result.ts';
import type { DocumentKind } from './json-document.ts';
import type { PolicyRule } from '../policy/rule.ts';
import type { LastingRule } from '../policy/written-rule.ts';
import type { SecretInfo, SecretInput } from '../secret/secret.ts';
import type { OrgSettings } from './settings/org-settings.ts';
import type { TokenRecord } from './token.ts';
import type { ViewRecord } from './view-record.ts';

export interface WantedBlob {
  readonly space: Space;
  readonly digest: Digest;
  /** Where it was put: hot ones are looked for in KV first. Default hot. */
  readonly tier?: 'hot' | 'cold';
  /** Bytes, where known, so that bulk reads stay within what one answer may hold. */
  readonly size?: number;
  /** Not to be remembered: checking a push must not push out what is read. Default false. */
  readonly once?: boolean;
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
  readDocuments<Document extends object>(
    wanted: readonly WantedBlob[],
    kind: DocumentKind<Document>,
  ): Promise<(Document | null)[]>;
}

/** The token and the view records that one request needs, read together in one round. */
export interface Records {
  read(
    token: { readonly hash: Digest } | null,
    layers: readonly Layer[],
    organisation: string,
  ): Promise<RecordSet>;
  /** The authoritative records of some layers, from the objects that own them: past every cache. */
  readFresh(layers: readonly Layer[], organisation: string): Promise<ViewRecord[]>;
  /** What its owner has just answered is what is read here from now on, unless something newer is. */
  note(record: ViewRecord, organisation: string): void;
}

export interface RecordSet {
  readonly token: TokenRecord | null;
  /** One for each layer asked for, in that order; a layer without one was never published. */
  readonly views: readonly (ViewRecord | null)[];
}

/** Entries of revisions that are not current any more; what was published once stays readable until it is revoked. */
export interface PastRevisions {
  byRevision(
    layers: readonly Layer[],
    organisation: string,
    revision: Digest,
  ): Promise<(CatalogEntry | null)[]>;
  byVersion(
    layers: readonly Layer[],
    organisation: string,
    name: string,
    version: string,
  ): Promise<(CatalogEntry | null)[]>;
}

export interface StoredSettings {
  /** Counts the changes; 0 where nothing was ever set. */
  readonly revision: number;
  readonly settings: OrgSettings | null;
}

/** What owns an organisation's settings. */
export interface Organisations {
  settings(organisation: string): Promise<StoredSettings>;
  /** `expected`: the revision that the change was made from, else `settings_conflict`; null: whatever there is. */
  putSettings(
    organisation: string,
    settings: OrgSettings,
    expected: number | null,
    by: AuditActor,
  ): Promise<Result<StoredSettings>>;
}

export interface StoredPolicy {
  /** Counts the changes; 0 where nothing was ever set. */
  readonly revision: number;
  readonly rules: readonly PolicyRule[];
}

export interface PolicyChange {
  readonly layer: Layer;
  /** All rules of the layer from now on. */
  readonly rules: readonly LastingRule[];
  readonly by: AuditActor;
  /** The revision that the change was made from, else `settings_conflict`; null: whatever there is. */
  readonly expected: number | null;
}

/** What owns the rules of an organisation's layers. */
export interface Policies {
  read(organisation: string, layer: Layer): Promise<StoredPolicy>;
  put(organisation: string, change: PolicyChange): Promise<Result<StoredPolicy>>;
}

/** How often the skills of one name in one layer were used, and when last. */
export interface SkillCount {
  readonly layer: Layer;
  readonly name: string;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** What owns an organisation's counts. */
export interface UsageCounts {
  /** The counts of these layers, most used first, from behind a row on. */
  most(
    organisation: string,
    layers: readonly Layer[],
    after: Omit<SkillCount, 'usedAt'> | null,
    limit: number,
  ): Promise<SkillCount[]>;
}

/** Some records of one audit log, as the lines of an export. */
export interface AuditPage {
  readonly space: Space;
  /** What the first of them is chained to. */
  readonly start: ChainLink;
  /** Where the log stands. */
  readonly head: ChainLink;
  readonly lines: readonly string[];
  /** The sequence of the last of them, or of the start. */
  readonly end: number;
}

/** What owns an organisation's audit log. Acts on an object are recorded by the object; this is for all others. */
export interface AuditLog {
  /** Records behind a place, oldest first; null where the log does not reach that place. */
  page(space: Space, after: number, limit: number): Promise<AuditPage | null>;
  record(organisation: string, reports: readonly AuditReport[]): Promise<void>;
}

export interface SearchQuery {
  readonly text: string;
  readonly limit: number;
  /** Names that the caller must not see. */
  readonly hidden: readonly string[];
  /** Leaves out what only people start. */
  readonly forModels?: boolean;
}

/** A part of a description, as one line, and where its matched words begin and end. */
export interface Snippet {
  readonly text: string;
  readonly marks: readonly { readonly start: number; readonly end: number }[];
}

export interface LayerHit {
  readonly name: string;
  readonly revision: string;
  readonly listing: string;
  readonly trust: string;
  readonly snippet: Snippet;
  /** Terms of the skill's texts. */
  readonly length: number;
  /** How often each term of the query is in them, weighed by field. */
  readonly frequencies: readonly number[];
}

/** What one layer's index says: its best rows, and what is needed to compare them with those of other layers. */
export interface LayerMatches {
  readonly skills: number;
  /** Terms of all its skills together. */
  readonly length: number;
  /** In how many skills each term of the query is. */
  readonly terms: readonly number[];
  readonly hits: readonly LayerHit[];
}

export interface LayerSearch extends LayerMatches {
  /** The catalog that was searched; null: none is indexed yet. */
  readonly catalog: Digest | null;
}

/** The index of each layer, which follows its head and may be behind it. */
export interface SkillSearch {
  search(layer: Layer, organisation: string, query: SearchQuery): Promise<LayerSearch>;
}

/** What keeps the secrets of organisations. */
export interface Secrets {
  /** `secrets_unavailable` where the deployment has nothing to encrypt with; `secret_limit` where there are too many. */
  put(organisation: string, name: string, input: SecretInput, by: AuditActor): Promise<Result<SecretInfo>>;
  /** `secret_unknown` where there is none. */
  remove(organisation: string, name: string, by: AuditActor): Promise<Result<SecretInfo>>;
  list(organisation: string): Promise<SecretInfo[]>;
}
