import type { Layer } from '../catalog/layers.ts';
import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import { ok } from '../core/result.ts';
import type { Catalogs, HeadMove } from '../publish/ports.ts';
import { ownerName } from '../store/keys.ts';
import type { Head, ViewRecord } from '../view/view-record.ts';
import { headStep, markOf } from './head-step.ts';
import type { BriefView, OrgObject } from './org-object.ts';

/** What a leaf takes in a head, in characters: its digest, a name, and what is around them. All else is about as much. */
const LEAF_CHARACTERS = 140;

/**
 * The owners of heads, reached by layer: the shared layer has one of its own. Heads that went by are remembered, by owner
 * and layer, so that what both sides have is neither asked for nor sent again; the owner says whether it is still there.
 */
export function durableCatalogs(namespace: DurableObjectNamespace<OrgObject>): Catalogs {
  const heads = new BoundedCache<string, Head>(CACHE_LIMITS.headCharacters);
  const owner = (layer: Layer, organisation: string) => namespace.getByName(ownerName(layer, organisation));
  const remember = (organisation: string, record: ViewRecord): ViewRecord => {
    const { layer, head } = record;
    if (head) {
      const leaves = 1 + head.shards.length + (head.pages?.length ?? 0);
      heads.set(keyOf(layer, organisation), head, leaves * LEAF_CHARACTERS);
    }
    return record;
  };
  const whole = (
    organisation: string,
    { record, mark }: BriefView,
    rest: Omit<Head, 'sequence'>,
  ): ViewRecord => remember(organisation, mark ? { ...record, head: { ...rest, ...mark } } : record);
  return {
    missing: async (layer, organisation, digests) => [
      ...(await owner(layer, organisation).missing(layer, digests)),
    ],
    recordBlobs: async (layer, organisation, blobs) => owner(layer, organisation).recordBlobs(layer, blobs),
    async view(layer, organisation) {
      const known = heads.get(keyOf(layer, organisation));
      if (!known) return remember(organisation, await owner(layer, organisation).view(layer));
      return whole(organisation, await owner(layer, organisation).viewSince(layer, markOf(known)), known);
    },
    async moveHead(organisation, { head, ...move }: HeadMove) {
      const { layer } = move;
      const known = heads.get(keyOf(layer, organisation));
      const step = known?.catalog === move.expected ? headStep(known, head) : null;
      const stepped = step && (await owner(layer, organisation).stepHead(organisation, { ...move, step }));
      if (stepped) return stepped.ok ? ok(whole(organisation, stepped.value, head)) : stepped;
      const moved = await owner(layer, organisation).moveHead(organisation, { ...move, head });
      return moved.ok ? ok(remember(organisation, moved.value)) : moved;
    },
    hasPublished: async (layer, organisation, catalog) =>
      owner(layer, organisation).hasPublished(layer, catalog),
  };
}

function keyOf(layer: Layer, organisation: string): string {
  return `${ownerName(layer, organisation)} ${layer}`;
}
