import { type Layer, layerKind, spaceOf } from '../catalog/layers.ts';
import { flagOf } from '../catalog/merkle-catalog.ts';
import type { Digest } from '../core/digest.ts';
import { PUBLISH_LIMITS } from '../core/limits.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { actorOf, type Principal, requireScope } from '../view/principal.ts';
import type { ViewRecord } from '../view/view-record.ts';
import { changedLayer, type HeadTarget, standingEntries } from './changed-layer.ts';
import type { HeadMove, NewBlob, PushPorts } from './ports.ts';
import { pushedBlobs } from './pushed-blobs.ts';
import type { HeldSkill, QuarantineStatus } from './quarantine.ts';
import { heldSkills, type Refused, rejection, type ReviewedSkill, reviewSkills } from './review.ts';
import { verifyCatalog } from './verify-catalog.ts';

/** Who may push to a layer: the shared one needs a scope of its own, a bound token only the layers it is bound to. */
export function mayPush(principal: Principal, layer: Layer): Problem | null {
  const kind = layerKind(layer);
  const refused = requireScope(principal, kind === 'bundled' ? 'bundled:push' : 'layers:push');
  if (refused) return refused;
  if (principal.layers && kind !== 'bundled' && !principal.layers.includes(layer)) {
    return {
      code: 'forbidden',
      detail: `this token is not bound to ${layer}`,
      hint: `It may push to: ${principal.layers.join(', ')}.`,
    };
  }
  return null;
}

/** Which of these blobs were not pushed to the layer yet, wherever else they may be. */
export function missingBlobs(
  ports: PushPorts,
  principal: Principal,
  layer: Layer,
  digests: readonly Digest[],
): Promise<Digest[]> {
  return ports.catalogs.missing(layer, principal.organisation, digests);
}

/** Stores blobs, then records that they are there: a blob is only ever known once it can be read. */
export async function storeBlobs(
  ports: PushPorts,
  principal: Principal,
  layer: Layer,
  blobs: readonly NewBlob[],
): Promise<void> {
  await ports.writer.write(spaceOf(layer, principal.organisation), blobs);
  await ports.catalogs.recordBlobs(
    layer,
    principal.organisation,
    blobs.map(({ digest, bytes }) => ({ digest, size: bytes.length })),
  );
}

export interface MoveRequest {
  readonly layer: Layer;
  readonly catalog: Digest;
  readonly index: Digest;
  readonly expected: Digest | null;
  /** Publishes in spite of warnings, by whoever may decide for people; never what is dangerous. */
  readonly force: boolean;
  /** Moves to the catalog without the skills that are held, those that they would replace staying; else nothing moves. */
  readonly leaveOut: boolean;
}

export interface Moved {
  readonly record: ViewRecord;
  readonly held: readonly Refused[];
  /** All that was new, held or not. */
  readonly reviewed: readonly ReviewedSkill[];
}

/**
 * Verifies a whole catalog and decides about all that is new in it, then moves the head to it: last, and all at once. What
 * may not be published is held for a person, and `publish_rejected`.
 */
export async function moveHead(
  ports: PushPorts,
  principal: Principal,
  request: MoveRequest,
): Promise<Result<Moved>> {
  const { layer, catalog, index, expected, force } = request;
  const { organisation } = principal;
  const current = await ports.catalogs.view(layer, organisation);
  const standing = current.head?.catalog ?? null;
  if (standing === catalog && current.head?.index === index)
    return ok({ record: current, held: [], reviewed: [] });
  if (standing !== expected) return fail(headMoved(layer, standing));
  const { catalogs } = ports;
  // Whoever may push anywhere has nothing to find out.
  const blobs =
    principal.layers === null ? ports.blobs : pushedBlobs(ports, organisation, layer, current.head);
  const verified = await verifyCatalog(
    { blobs, catalogs },
    organisation,
    layer,
    catalog,
    index,
    current.head,
  );
  if (!verified.ok) return verified;
  const { head, added, changes } = verified.value;
  const reviewed = await reviewSkills(ports, principal, current, added, force);
  if (!reviewed.ok) return reviewed;
  const held = await holdSkills(
    ports,
    principal,
    heldSkills(principal, layer, head.gates ?? {}, reviewed.value),
  );
  const outcome = { held, reviewed: reviewed.value };
  const forced = reviewed.value.flatMap((skill) => (skill.forced ? [skill.entry.name] : []));
  const step = { head, added: added.map(({ entry }) => entry), changes, forced };
  if (held.length === 0) return move(ports, principal, current, step, outcome);
  if (!request.leaveOut || principal.actor === 'agent') return fail(rejection(principal, held));
  const without = await leaveOut(ports, principal, current, head, held);
  if (!without.ok) return without;
  return move(ports, principal, current, { ...stepWithout(step, held), head: without.value }, outcome);
}

type HeadStep = Pick<HeadMove, 'head' | 'added' | 'changes' | 'forced'>;

async function move(
  ports: PushPorts,
  principal: Principal,
  current: ViewRecord,
  step: HeadStep,
  outcome: Omit<Moved, 'record'>,
): Promise<Result<Moved>> {
  const { layer } = current;
  const before = current.head;
  if (before?.catalog === step.head.catalog && before.index === step.head.index)
    return ok({ record: current, ...outcome });
  const expected = before?.catalog ?? null;
  const to = { layer, expected, by: actorOf(principal), ...step };
  const moved = await ports.catalogs.moveHead(principal.organisation, to);
  return moved.ok ? ok({ record: moved.value, ...outcome }) : moved;
}

/** Keeps what may not be published for a person, but for what one has accepted already; says what is left. */
async function holdSkills(
  ports: PushPorts,
  principal: Principal,
  held: readonly HeldSkill[],
): Promise<Refused[]> {
  const statuses: QuarantineStatus[] = [];
  const { heldAtOnce } = PUBLISH_LIMITS;
  for (let start = 0; start < held.length; start += heldAtOnce) {
    const some = held.slice(start, start + heldAtOnce);
    statuses.push(...(await ports.quarantine.hold(principal.organisation, some, actorOf(principal))));
  }
  const refused = held.map((one, at): Refused => ({ held: one, status: statuses[at] ?? 'held' }));
  const left = refused.filter(({ status }) => status !== 'accepted');
  if (left.length > 0) ports.noteHeld(left.map(({ held: one }) => one));
  return left;
}

/** What is published without some skills, and what that changes: what stands in their place is there already. */
function stepWithout({ added, changes, ...step }: HeadStep, held: readonly Refused[]): HeadStep {
  const left = new Set(held.map(({ held: { entry } }) => entry.name));
  return {
    ...step,
    added: added.filter(({ name }) => !left.has(name)),
    changes: {
      added: changes.added.filter((name) => !left.has(name)),
      changed: changes.changed.filter((name) => !left.has(name)),
      removed: changes.removed,
    },
  };
}

/** The catalog with what stood there before, or nothing, in the place of what is held. */
async function leaveOut(
  ports: PushPorts,
  principal: Principal,
  { layer, head: before }: ViewRecord,
  head: HeadTarget,
  held: readonly Refused[],
): Promise<Result<HeadTarget>> {
  const { organisation } = principal;
  const names = held.map(({ held: { entry } }) => entry.name);
  const standing = await standingEntries(ports.blobs, layer, organisation, before, names);
  if (!standing.ok) return standing;
  const changes = names.map((name, at) => {
    const entry = standing.value[at] ?? null;
    return { name, entry, flag: flagOf(before?.gates ?? {}, name) };
  });
  const changed = await changedLayer(ports.blobs, layer, organisation, head, changes);
  if (!changed.ok) return changed;
  await storeBlobs(ports, principal, layer, changed.value.nodes);
  return ok(changed.value.head);
}

export function headMoved(layer: Layer, standing: Digest | null): Problem {
  return {
    code: 'head_moved',
    detail: `the head of ${layer} is not where the push expected it`,
    hint: 'Somebody else published; look at what changed, then push again with the current catalog as expected.',
    data: { catalog: standing },
  };
}
