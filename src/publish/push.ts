import { type Layer, layerKind, spaceOf } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { actorOf, type Principal, requireScope } from '../view/principal.ts';
import type { ViewRecord } from '../view/view-record.ts';
import type { NewBlob, PushPorts } from './ports.ts';
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

/** Which of these blobs the layer's space does not have yet. */
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
}

/** Verifies a whole catalog, then moves the head to it: last, and all at once. */
export async function moveHead(
  ports: PushPorts,
  principal: Principal,
  request: MoveRequest,
): Promise<Result<ViewRecord>> {
  const { layer, catalog, index, expected } = request;
  const current = await ports.catalogs.view(layer, principal.organisation);
  const standing = current.head?.catalog ?? null;
  if (standing === catalog && current.head?.index === index) return ok(current);
  if (standing !== expected) return fail(headMoved(layer, standing));
  const verified = await verifyCatalog(ports, principal.organisation, layer, catalog, index, current.head);
  if (!verified.ok) return verified;
  return ports.catalogs.moveHead(principal.organisation, {
    layer,
    expected,
    by: actorOf(principal),
    ...verified.value,
  });
}

export function headMoved(layer: Layer, standing: Digest | null): Problem {
  return {
    code: 'head_moved',
    detail: `the head of ${layer} is not where the push expected it`,
    hint: 'Somebody else published; look at what changed, then push again with the current catalog as expected.',
    data: { catalog: standing },
  };
}
