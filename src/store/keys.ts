import type { Layer, Space } from '../catalog/layers.ts';
import { layerKind, spaceOf } from '../catalog/layers.ts';
import { type Digest, digestOf, hexOf } from '../core/digest.ts';

/**
 * Every key that Skilledge writes. The organisation in it comes from a token, never from a request, so no key of one
 * tenant can be spelled by another.
 *
 * | key | store | value | ends |
 * |---|---|---|---|
 * | `t/{sha256}` | KV | TokenRecord, under the hash of the token's text | deleted on revocation |
 * | `{space}/view/{layer}` | KV | ViewRecord, a copy of what the OrgObject holds | overwritten |
 * | `{space}/b/{sha256}` | R2, hot ones in KV too | a blob's bytes | never changes |
 * | `{space}/r/{layer}/{revision}` | KV | CatalogEntry: this revision was published here | deleted on revocation |
 * | `{space}/v/{sha256 of layer, name, version}` | KV | CatalogEntry: the last revision with this version | overwritten |
 *
 * A space is `bundled`, or `o/{organisation}`.
 */
export function tokenKey(hash: Digest): string {
  return `t/${hexOf(hash)}`;
}

export function viewKey(layer: Layer, organisation: string): string {
  return `${spaceOf(layer, organisation)}/view/${layer}`;
}

export function blobKey(space: Space, digest: Digest): string {
  return `${space}/b/${hexOf(digest)}`;
}

export function revisionKey(layer: Layer, organisation: string, revision: Digest): string {
  return `${spaceOf(layer, organisation)}/r/${layer}/${hexOf(revision)}`;
}

export function versionKey(layer: Layer, organisation: string, name: string, version: string): string {
  // Hashed: a name may be longer than a key is allowed to be.
  return `${spaceOf(layer, organisation)}/v/${hexOf(digestOf(JSON.stringify([layer, name, version])))}`;
}

/** The Durable Object that owns a layer's head: one for the shared layer, one for each organisation. */
export function ownerName(layer: Layer, organisation: string): string {
  return layerKind(layer) === 'bundled' ? 'bundled' : `o/${organisation}`;
}

/** The Durable Object that has the search index of a layer. No layer has a slash in it. */
export function searchName(layer: Layer, organisation: string): string {
  return `${ownerName(layer, organisation)}/${layer}`;
}
