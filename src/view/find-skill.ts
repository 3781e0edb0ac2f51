import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { Layer } from '../catalog/layers.ts';
import { leafFor, type LeafReference } from '../catalog/leaves.ts';
import { CatalogShard, findEntry } from '../catalog/merkle-catalog.ts';
import { isUntrusted, usualTrust } from '../catalog/provenance.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { type Digest, isDigest } from '../core/digest.ts';
import { CACHE_LIMITS, CATALOG_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { documentKind } from './json-document.ts';
import type { BlobStore, PastRevisions } from './ports.ts';
import { readIndexPages } from './read-index.ts';
import { hasLookalike } from './taken-names.ts';
import { isSwitchedOff, type View, type ViewLayer } from './view.ts';

export interface FoundSkill {
  readonly layer: Pick<ViewLayer, 'layer' | 'space'>;
  readonly entry: CatalogEntry;
}

export interface SkillQuery {
  /** A catalog name, or `layer/name` for one that another layer shadows. */
  readonly name: string;
  /** Exactly this revision, current or past. */
  readonly revision?: string | undefined;
  /** Exactly this version, as its author wrote it. */
  readonly version?: string | undefined;
}

export interface FindPorts {
  readonly blobs: BlobStore;
  readonly past: PastRevisions;
}

interface Candidate {
  readonly layer: ViewLayer;
  readonly name: string;
  readonly shard: LeafReference | null;
  /** Asked for by its layer: no other skill can be meant. */
  readonly qualified: boolean;
}

export const SHARD = documentKind(CatalogShard, CATALOG_LIMITS.shardBytes);

/**
 * Finds a skill in a view: one read of the shards that could hold it, and one more only when an exact revision or
 * version is wanted that is not the current one. A foreign skill and a missing one give the same answer.
 */
export async function findSkill(
  ports: FindPorts,
  view: View,
  query: SkillQuery,
): Promise<Result<FoundSkill>> {
  if (query.revision !== undefined && !isDigest(query.revision)) {
    return fail({
      code: 'bad_request',
      detail: 'revision is not a digest',
      hint: 'Write revision=sha256:<64 hex digits>.',
    });
  }
  if (query.revision === undefined && query.version === undefined) {
    return findCurrent(ports.blobs, view, query.name);
  }
  const [current = []] = await findNamesakes(ports.blobs, view, [query.name]);
  const exact = current.find(({ entry }) => isExactly(entry, query));
  if (exact) return ok(exact);
  const past = await findPast(ports.past, view, candidatesFor(view, query.name), query);
  return past ? ok(past) : fail(unknownSkill(query.name));
}

/** What names mean in a view: it says where its layers stand by digest, so that this never changes. */
const known = new WeakMap<View, BoundedCache<string, FoundSkill>>();

async function findCurrent(blobs: BlobStore, view: View, name: string): Promise<Result<FoundSkill>> {
  const names = known.get(view) ?? new BoundedCache<string, FoundSkill>(CACHE_LIMITS.names);
  known.set(view, names);
  const before = names.get(name);
  if (before) return ok(before);
  const [[found] = []] = await findNamesakes(blobs, view, [name]);
  if (!found) return fail(unknownSkill(name));
  names.set(name, found);
  return ok(found);
}

/**
 * All skills of a view that answer to each name, in one read of the shards that could hold them; the first of each is the
 * one that the name means.
 */
export async function findNamesakes(
  blobs: BlobStore,
  view: View,
  names: readonly string[],
): Promise<FoundSkill[][]> {
  const candidates = names.map((name) => candidatesFor(view, name));
  // Where skills of anybody are likely, what they must not look like is read in the same round as they are.
  const likely = view.layers.some(({ layer }) => isUntrusted(usualTrust(layer)));
  const [entries] = await Promise.all([
    readEntries(blobs, candidates.flat()),
    likely ? readIndexPages(blobs, view.layers) : null,
  ]);
  return Promise.all(
    candidates.map(async (ofName) => {
      const found: FoundSkill[] = [];
      for (const candidate of ofName) {
        const { layer, qualified } = candidate;
        const entry = entries.get(candidate);
        if (entry && (qualified || !(await isImpostor(blobs, view, layer, entry))))
          found.push({ layer, entry });
      }
      return found;
    }),
  );
}

/** Bare name in every layer first, then `layer/name`: the same order in which people would read it. */
function candidatesFor(view: View, text: string): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (layer: ViewLayer, name: string, qualified: boolean): void => {
    if (name !== '' && !isSwitchedOff(view, layer, name)) {
      candidates.push({ layer, name, shard: leafFor(layer.head.shards, name), qualified });
    }
  };
  for (const layer of view.layers) add(layer, text, false);
  const slash = text.indexOf('/');
  if (slash === -1) return candidates;
  const qualifier = Layer.safeParse(text.slice(0, Math.max(0, slash)));
  const qualified = qualifier.success ? view.layers.find(({ layer }) => layer === qualifier.data) : undefined;
  if (qualified) add(qualified, text.slice(slash + 1), true);
  return candidates;
}

/**
 * A skill from anybody does not answer to a bare name that looks like one of a layer before it: a reader of the listing
 * would take it for the other.
 */
async function isImpostor(
  blobs: BlobStore,
  view: View,
  layer: ViewLayer,
  entry: CatalogEntry,
): Promise<boolean> {
  if (!isUntrusted(entry.trust)) return false;
  const indexes = await readIndexPages(blobs, view.layers.slice(0, view.layers.indexOf(layer)));
  return indexes.some((pages) => pages?.some((page) => hasLookalike(page, entry.name)) ?? false);
}

async function readEntries(
  blobs: BlobStore,
  candidates: readonly Candidate[],
): Promise<Map<Candidate, CatalogEntry | null>> {
  const wanted = new Map(
    candidates.flatMap(({ layer, shard }) =>
      shard ? [[`${layer.space} ${shard.digest}`, { space: layer.space, digest: shard.digest }]] : [],
    ),
  );
  const shards = await blobs.readDocuments([...wanted.values()], SHARD);
  const byKey = new Map([...wanted.keys()].map((key, index) => [key, shards[index]]));
  return new Map(
    candidates.map((candidate) => {
      const shard = candidate.shard ? byKey.get(`${candidate.layer.space} ${candidate.shard.digest}`) : null;
      return [candidate, shard ? findEntry(shard, candidate.name) : null];
    }),
  );
}

function isExactly(entry: CatalogEntry, query: SkillQuery): boolean {
  return (
    (query.revision === undefined || entry.revision === query.revision) &&
    (query.version === undefined || entry.version === query.version)
  );
}

async function findPast(
  past: PastRevisions,
  view: View,
  candidates: readonly Candidate[],
  query: SkillQuery,
): Promise<FoundSkill | null> {
  for (const name of new Set(candidates.map((candidate) => candidate.name))) {
    const layers = candidates
      .filter((candidate) => candidate.name === name)
      .map((candidate) => candidate.layer);
    const keys = layers.map(({ layer }) => layer);
    const revision: Digest | null =
      query.revision !== undefined && isDigest(query.revision) ? query.revision : null;
    const entries = revision
      ? await past.byRevision(keys, view.organisation, revision)
      : await past.byVersion(keys, view.organisation, name, query.version ?? '');
    for (const [index, layer] of layers.entries()) {
      const entry = entries[index];
      if (entry && entry.name === name && isExactly(entry, query)) return { layer, entry };
    }
  }
  return null;
}

export function unknownSkill(name: string): Problem {
  return {
    code: 'skill_unknown',
    errorCode: 2,
    detail: `no skill ${JSON.stringify(name.slice(0, 200).toWellFormed())} in the layers of this request`,
    hint: 'List what is there with GET /v1/skills; name a user or project layer with scope=.',
  };
}
