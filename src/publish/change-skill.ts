import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { EntryChange } from '../catalog/change-catalog.ts';
import type { Layer } from '../catalog/layers.ts';
import { canonicalJson } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { PUBLISH_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Principal } from '../view/principal.ts';
import type { ViewRecord } from '../view/view-record.ts';
import { changedLayer, standingEntries } from './changed-layer.ts';
import type { NewBlob, PushPorts } from './ports.ts';
import { headMoved, moveHead, storeBlobs } from './push.ts';
import type { ReviewedSkill } from './review.ts';

/** One skill of a layer, as it is to be from now on. */
export interface SkillChange extends EntryChange {
  readonly layer: Layer;
  /** What the row points at. */
  readonly blobs: readonly NewBlob[];
  /** The revision that it is thought to have now; null: none; not there: whatever it has. */
  readonly expected?: Digest | null | undefined;
  readonly force: boolean;
}

export interface ChangedSkill {
  readonly record: ViewRecord;
  /** The row before; null: there was none. */
  readonly before: CatalogEntry | null;
  /** False where the layer said so already. */
  readonly changed: boolean;
  /** Null where nothing new was published. */
  readonly review: ReviewedSkill | null;
}

/**
 * Changes one skill of a layer: its blobs, one shard and its branch, the root, the index, then the head, which is verified as
 * in any push.
 * Somebody who is faster only makes it begin again from where they left the layer, so both changes are in it.
 */
export async function changeSkill(
  ports: PushPorts,
  principal: Principal,
  change: SkillChange,
): Promise<Result<ChangedSkill>> {
  const { layer, blobs, force } = change;
  const { organisation } = principal;
  let unsent = blobs;
  for (let attempt = 1; ; attempt += 1) {
    const record = await ports.catalogs.view(layer, organisation);
    const before = await standingEntry(ports, principal, record, change);
    if (!before.ok) return before;
    if (sameRow(before.value, change.entry))
      return ok({ record, before: before.value, changed: false, review: null });
    const after = await changedLayer(ports.blobs, layer, organisation, record.head, [change]);
    if (!after.ok) return after;
    await storeBlobs(ports, principal, layer, [...unsent, ...after.value.nodes]);
    unsent = [];
    const { catalog, index } = after.value.head;
    const expected = record.head?.catalog ?? null;
    const request = { layer, catalog, index, expected, force, leaveOut: false };
    const moved = await moveHead(ports, principal, request);
    if (moved.ok) {
      const { reviewed } = moved.value;
      return ok({
        record: moved.value.record,
        before: before.value,
        changed: true,
        review: reviewed.find(({ entry }) => entry.name === change.name) ?? null,
      });
    }
    if (moved.error.code !== headMoved(layer, null).code || attempt === PUBLISH_LIMITS.attempts) return moved;
  }
}

/** The row that a name has in a layer; `publish_conflict` where it is not the revision that the caller thinks. */
export async function standingEntry(
  ports: Pick<PushPorts, 'blobs'>,
  { organisation }: Principal,
  { layer, head }: ViewRecord,
  { name, expected }: Pick<SkillChange, 'name' | 'expected'>,
): Promise<Result<CatalogEntry | null>> {
  const found = await standingEntries(ports.blobs, layer, organisation, head, [name]);
  if (!found.ok) return found;
  const entry = found.value[0] ?? null;
  const revision = entry?.revision ?? null;
  return expected === undefined || expected === revision ? ok(entry) : fail(conflict(name, revision));
}

export function sameRow(left: CatalogEntry | null, right: CatalogEntry | null): boolean {
  return left === right || (left !== null && right !== null && canonicalJson(left) === canonicalJson(right));
}

function conflict(name: string, revision: Digest | null): Problem {
  return {
    code: 'publish_conflict',
    detail: `${JSON.stringify(name)} is not the revision that was expected`,
    hint: 'Look at what it is now, then send the change with that revision as expected.',
    data: { revision },
  };
}
