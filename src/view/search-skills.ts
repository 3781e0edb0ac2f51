import { isUntrusted } from '../catalog/provenance.ts';
import { type CatalogEntry } from '../catalog/catalog-entry.ts';
import { leafFor } from '../catalog/leaves.ts';
import { findEntry } from '../catalog/merkle-catalog.ts';
import { byCodeUnit } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { logFault } from '../core/log.ts';
import { SHARD } from './find-skill.ts';
import type { BlobStore, LayerHit, SearchQuery, SkillSearch, Snippet } from './ports.ts';
import { scoreOf, statisticsOf } from './score-hits.ts';
import { isSwitchedOff, switchedOff, type View, type ViewLayer } from './view.ts';

export interface SearchPorts {
  readonly search: SkillSearch;
  readonly blobs: BlobStore;
}

/** `name` is what to call it by: qualified where a layer before has the bare name. */
export interface SearchResult {
  readonly name: string;
  readonly layer: string;
  readonly revision: string;
  readonly listing: string;
  readonly trust: string;
  readonly score: number;
  readonly snippet: Snippet;
}

export interface SearchAnswer {
  readonly results: readonly SearchResult[];
  /** Which catalog of each layer was searched, and whether it is the one that the layer stands at. */
  readonly lag: readonly {
    readonly layer: string;
    readonly catalog: Digest;
    readonly searched: Digest | null;
    readonly current: boolean;
  }[];
}

interface Hit {
  readonly hit: LayerHit;
  readonly layer: ViewLayer;
  readonly position: number;
  readonly current: boolean;
  readonly score: number;
}

/**
 * Searches every layer of a view at once, and no other: an index is only asked for a layer that has a head. Scores are
 * made comparable by the layers' statistics together; between equal ones precedence decides, then the name. Null where
 * an index or a catalog cannot be read: half an answer would look like a whole one.
 */
export async function searchSkills(
  { search, blobs }: SearchPorts,
  view: View,
  { text, limit, forModels = false }: Omit<SearchQuery, 'hidden'>,
): Promise<SearchAnswer | null> {
  const answers = await Promise.all(
    view.layers.map((viewLayer) =>
      search
        .search(viewLayer.layer, view.organisation, {
          text,
          limit,
          hidden: switchedOff(view, viewLayer),
          forModels,
        })
        .catch(unanswered),
    ),
  );
  const found = answers.filter((answer) => answer !== null);
  if (found.length < answers.length) return null;
  const statistics = statisticsOf(found);
  const hits = view.layers.flatMap((layer, position): Hit[] => {
    const answer = answers[position];
    const current = answer?.catalog === layer.head.catalog;
    return (answer?.hits ?? []).map((hit) => {
      return { hit, layer, position, current, score: scoreOf(hit, statistics) };
    });
  });
  const ranked = withoutTwins(hits)
    .toSorted(
      (left, right) =>
        right.score - left.score ||
        left.position - right.position ||
        byCodeUnit(left.hit.name, right.hit.name),
    )
    // Some may turn out to be gone, where an index is behind.
    .slice(0, limit * 2);
  const shown = await nameHits(blobs, view, ranked);
  if (!shown) return null;
  return {
    results: shown.slice(0, limit),
    lag: view.layers.map(({ layer, head }, index) => {
      const searched = answers[index]?.catalog ?? null;
      return { layer, catalog: head.catalog, searched, current: searched === head.catalog };
    }),
  };
}

function unanswered(error: unknown): null {
  logFault('search_failed', { reason: String(error) });
  return null;
}

/** The same skill in several layers is one, in the first of them. */
function withoutTwins(hits: readonly Hit[]): Hit[] {
  const seen = new Set<string>();
  return hits.filter(({ hit: { name, revision } }) => {
    const key = `${revision}\n${name}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Looks hits up in the catalogs that the view stands at: what they are called by, and whether they are still there. */
async function nameHits(blobs: BlobStore, view: View, hits: readonly Hit[]): Promise<SearchResult[] | null> {
  const shown: SearchResult[] = [];
  for (let start = 0; start < hits.length; start += SEARCH_LIMITS.namedAtOnce) {
    const part = hits.slice(start, start + SEARCH_LIMITS.namedAtOnce);
    const lookUps = part.map((found) => {
      const upTo = view.layers.slice(0, found.current ? found.position : found.position + 1);
      return upTo.map((layer) => ({ layer, shard: leafFor(layer.head.shards, found.hit.name) }));
    });
    const wanted = new Map(
      lookUps.flat().flatMap(({ layer, shard }) => {
        return shard
          ? [[`${layer.space} ${shard.digest}`, { space: layer.space, digest: shard.digest }]]
          : [];
      }),
    );
    const shards = await blobs.readDocuments([...wanted.values()], SHARD);
    if (shards.includes(null)) return null;
    const byKey = new Map([...wanted.keys()].map((key, index) => [key, shards[index]]));
    for (const [index, found] of part.entries()) {
      const entries = (lookUps[index] ?? []).map(({ layer, shard }) => {
        const document = shard ? byKey.get(`${layer.space} ${shard.digest}`) : null;
        const entry = document ? findEntry(document, found.hit.name) : null;
        return entry && !isSwitchedOff(view, layer, entry.name) ? entry : null;
      });
      const isThere = found.current || entries.at(-1)?.revision === found.hit.revision;
      if (isThere) shown.push(toResult(found, entries.slice(0, found.position)));
    }
  }
  return shown;
}

/** A skill from anybody is called by its layer wherever there is one before: its name may look like another there. */
function toResult(found: Hit, before: readonly (CatalogEntry | null)[]): SearchResult {
  const { hit, layer, score } = found;
  const { name, revision, listing, trust, snippet } = hit;
  const other = before.find((entry) => entry !== null);
  const shadowed = other !== undefined && other.revision !== revision;
  const qualified = shadowed || (isUntrusted(trust) && before.length > 0);
  return {
    name: qualified ? `${layer.layer}/${name}` : name,
    layer: layer.layer,
    revision,
    listing,
    trust,
    score: Math.round(score * 1000) / 1000,
    snippet,
  };
}
