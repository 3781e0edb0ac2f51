import { z } from 'zod';
import type { Layer } from '../../src/catalog/layers.ts';
import { DigestSchema } from '../../src/catalog/revision.ts';
import type { Digest } from '../../src/core/digest.ts';
import { REQUEST_LIMITS } from '../../src/core/limits.ts';
import { BLOB_BATCH_TYPE, encodeBlobBatch } from '../../src/publish/blob-batch.ts';
import type { Bundle, BundleBlob } from './bundle.ts';
import { catalogNodes, changedBlobs } from './changed-blobs.ts';

/** A batch may hold this much, well below what a request may. */
const BATCH_BYTES = REQUEST_LIMITS.pushBytes / 2;
/** Of more blobs a layer's catalog is asked about first: most of them may be there, and each name takes 75 bytes. */
const ASKED_AT_ONCE = 500;
const TRIES = 3;

const MissingAnswer = z.object({
  missing: z.array(DigestSchema),
  head: z
    .object({ catalog: DigestSchema, index: DigestSchema, shards: z.array(DigestSchema).default([]) })
    .nullable(),
});
/** A skill that waits for a person, or that one has rejected. */
const HeldSkill = z.object({ id: z.string(), name: z.string(), verdict: z.string(), status: z.string() });
const MoveAnswer = z.object({
  catalog: DigestSchema,
  held: z.array(HeldSkill).default([]),
  heldCount: z.int().default(0),
});
const ProblemAnswer = z.object({
  code: z.string(),
  detail: z.string(),
  hint: z.string().optional(),
  /** All that an agent is told of what was rejected. */
  data: z.object({ reference: z.string().optional() }).optional(),
});

export interface PushTarget {
  readonly url: URL;
  readonly token: string;
  /** Publishes in spite of warnings. */
  readonly force?: boolean;
}

export interface PushedLayer {
  readonly layer: Layer;
  readonly catalog: Digest;
  readonly skills: number;
  readonly sentBlobs: number;
  readonly sentBytes: number;
  readonly requests: number;
  /** False where the deployment already stood at this catalog. */
  readonly moved: boolean;
  /** What is not in the catalog, because it may not be published; an answer lists the first of them. */
  readonly held: readonly z.infer<typeof HeldSkill>[];
  readonly heldCount: number;
}

/** Sends one layer of a bundle: asks what is missing, sends only that, moves the head last. Throws with what to do. */
export async function pushLayer(
  bundle: Bundle,
  layer: Bundle['layers'][number],
  target: PushTarget,
  progress: (done: number, all: number) => void = () => {},
): Promise<PushedLayer> {
  let requests = 0;
  const send = (path: string, init: RequestInit): Promise<unknown> => {
    requests += 1;
    return request(target, path, init);
  };
  const blobs = layer.blobs.flatMap((position) => bundle.blobs[position] ?? []);
  const missing = new Set<Digest>();
  const ask = async (digests: readonly Digest[], shards = false) => {
    const answer = MissingAnswer.parse(
      await send('/v1/push/missing', jsonBody({ layer: layer.layer, digests, shards })),
    );
    for (const digest of answer.missing) missing.add(digest);
    return answer.head;
  };
  const own = blobs.map(({ digest }) => digest);
  const few = own.length <= ASKED_AT_ONCE;
  let head = await (few ? ask(own) : ask(catalogNodes(bundle, layer), true));
  const rest = few ? [] : changedBlobs(bundle, layer, own, head?.shards ?? []);
  for (let start = 0; start < rest.length; start += REQUEST_LIMITS.missingBlobs)
    head = await ask(rest.slice(start, start + REQUEST_LIMITS.missingBlobs));
  const wanted = blobs.filter(({ digest }) => missing.has(digest));
  let sent = 0;
  for (const batch of batches(wanted)) {
    const body = encodeBlobBatch(
      batch.map(({ digest, tier }) => ({ digest, tier, bytes: bundle.read(digest) })),
    );
    const path = `/v1/push/blobs?layer=${encodeURIComponent(layer.layer)}`;
    await send(path, { method: 'PUT', body, headers: { 'Content-Type': BLOB_BATCH_TYPE } });
    sent += batch.length;
    progress(sent, wanted.length);
  }
  const { catalog, index } = layer;
  const stands = head?.catalog === catalog && head.index === index;
  const expected = head?.catalog ?? null;
  const move = {
    layer: layer.layer,
    catalog,
    index,
    expected,
    force: target.force ?? false,
    held: 'leave-out',
  };
  const { catalog: reached, ...held } = stands
    ? MoveAnswer.parse({ catalog })
    : MoveAnswer.parse(await send('/v1/push/head', jsonBody(move)));
  return {
    ...held,
    layer: layer.layer,
    catalog: reached,
    skills: layer.skills,
    sentBlobs: wanted.length,
    sentBytes: wanted.reduce((sum, { size }) => sum + size, 0),
    requests,
    moved: !stands && reached !== expected,
  };
}

function* batches(blobs: readonly BundleBlob[]): Generator<BundleBlob[]> {
  let batch: BundleBlob[] = [];
  let bytes = 0;
  for (const blob of blobs) {
    if (batch.length >= REQUEST_LIMITS.pushBlobs || (batch.length > 0 && bytes + blob.size > BATCH_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(blob);
    bytes += blob.size;
  }
  if (batch.length > 0) yield batch;
}

function jsonBody(value: unknown): RequestInit {
  return { method: 'POST', body: JSON.stringify(value), headers: { 'Content-Type': 'application/json' } };
}

/** Every call of a push can be made again: blobs are named by their content, and the head moves by comparison. */
async function request(target: PushTarget, path: string, init: RequestInit): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    let response: Response;
    try {
      response = await fetch(new URL(path, target.url), {
        ...init,
        headers: { ...init.headers, Authorization: `Bearer ${target.token}` },
      });
    } catch (error) {
      if (attempt < TRIES) {
        await pause(attempt);
        continue;
      }
      throw new Error(`${target.url.origin} does not answer: is it running, and is the URL right?`, {
        cause: error,
      });
    }
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    if (response.status >= 500 && attempt < TRIES) {
      await pause(attempt);
      continue;
    }
    throw new Error(explain(path, response.status, text));
  }
}

function explain(path: string, status: number, text: string): string {
  try {
    const { code, detail, hint, data } = ProblemAnswer.parse(JSON.parse(text));
    const reference = data?.reference === undefined ? '' : ` Its reference is ${data.reference}.`;
    return `${path} was refused (${status} ${code}): ${detail}${reference}${hint ? ` ${hint}` : ''}`;
  } catch {
    return `${path} answered ${status}, and not as Skilledge does: is the URL right?`;
  }
}

function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 500 * attempt));
}
