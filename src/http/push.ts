import { Hono } from 'hono';
import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { REQUEST_LIMITS } from '../core/limits.ts';
import { decodeBlobBatch } from '../publish/blob-batch.ts';
import { mayPush, missingBlobs, moveHead, storeBlobs } from '../publish/push.ts';
import { heldList } from '../publish/review.ts';
import { SCAN_NOTE } from '../view/shown-scan.ts';
import type { Head } from '../view/view-record.ts';
import { answerJson, type AppEnv, refuse } from './context.ts';
import { readBytes, readJson } from './request/read-body.ts';
import { publisherOf } from './request/publisher.ts';

const Missing = z.strictObject({
  layer: Layer,
  digests: z.array(DigestSchema).max(REQUEST_LIMITS.missingBlobs),
  /** Whether to say which shards the layer stands at: a large one has hundreds. */
  shards: z.boolean().default(false),
});
const Move = z.strictObject({
  layer: Layer,
  catalog: DigestSchema,
  index: DigestSchema,
  expected: DigestSchema.nullable(),
  force: z.boolean().default(false),
  /** What becomes of everything else where something is held. */
  held: z.enum(['refuse', 'leave-out']).default('refuse'),
});

/** Content-addressed sync of a built bundle: ask what is missing, send that, move the head last. */
export const push = new Hono<AppEnv>()
  .post('/missing', async (context) => {
    const publisher = await publisherOf(context);
    if (!publisher.ok) return refuse(context, publisher.error);
    const { principal, ports } = publisher.value;
    const body = await readJson(context, Missing, REQUEST_LIMITS.missingBytes);
    if (!body.ok) return refuse(context, body.error);
    const { layer, digests, shards } = body.value;
    const refused = mayPush(principal, layer);
    if (refused) return refuse(context, refused);
    const [missing, view] = await Promise.all([
      missingBlobs(ports, principal, layer, digests),
      ports.catalogs.view(layer, principal.organisation),
    ]);
    return answerJson({ layer, missing, head: view.head && standing(view.head, shards) });
  })
  .put('/blobs', async (context) => {
    const publisher = await publisherOf(context);
    if (!publisher.ok) return refuse(context, publisher.error);
    const { principal, ports } = publisher.value;
    const layer = Layer.safeParse(context.req.query('layer'));
    if (!layer.success) {
      return refuse(context, {
        code: 'bad_request',
        at: 'layer',
        detail: 'layer= names no layer',
        hint: 'For instance PUT /v1/push/blobs?layer=org.',
      });
    }
    const refused = mayPush(principal, layer.data);
    if (refused) return refuse(context, refused);
    const bytes = await readBytes(context, REQUEST_LIMITS.pushBytes);
    if (!bytes.ok) return refuse(context, bytes.error);
    const blobs = decodeBlobBatch(bytes.value);
    if (!blobs.ok) return refuse(context, blobs.error);
    await storeBlobs(ports, principal, layer.data, blobs.value);
    return answerJson({ layer: layer.data, stored: blobs.value.length });
  })
  .post('/head', async (context) => {
    const publisher = await publisherOf(context);
    if (!publisher.ok) return refuse(context, publisher.error);
    const { principal, ports } = publisher.value;
    const body = await readJson(context, Move, REQUEST_LIMITS.jsonBytes);
    if (!body.ok) return refuse(context, body.error);
    const refused = mayPush(principal, body.value.layer);
    if (refused) return refuse(context, refused);
    const moved = await moveHead(ports, principal, {
      ...body.value,
      leaveOut: body.value.held === 'leave-out',
    });
    if (!moved.ok) return refuse(context, moved.error);
    const { record, held } = moved.value;
    // This isolate at least shows the new catalog at once; the others within the age of their records.
    ports.records.note(record, principal.organisation);
    const { head } = record;
    return answerJson({
      layer: body.value.layer,
      catalog: head?.catalog,
      sequence: head?.sequence,
      entries: head?.entries,
      ...(held.length === 0 ? {} : { ...heldList(held), note: SCAN_NOTE }),
    });
  });

/** Where a layer stands. Nothing that a shard of it names has to be asked about: no head moves where anything is missing. */
function standing({ catalog, index, shards }: Head, withShards: boolean) {
  return { catalog, index, ...(withShards ? { shards: shards.map(({ digest }) => digest) } : {}) };
}
