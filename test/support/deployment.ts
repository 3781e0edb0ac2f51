import {
  createExecutionContext,
  evictDurableObject,
  runDurableObjectAlarm,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { Layer } from '../../src/catalog/layers.ts';
import { usualTrust } from '../../src/catalog/provenance.ts';
import { type CompileOptions, compileSources } from '../../src/compile/compile-layer.ts';
import type { LayerSource } from '../../src/compile/layer-source.ts';
import { treeLayout } from '../../src/compile/layouts/tree.ts';
import type { SourceTree } from '../../src/compile/source-tree.ts';
import type { Digest } from '../../src/core/digest.ts';
import { AUDIT_LIMITS, ORG_LIMITS, USAGE_LIMITS } from '../../src/core/limits.ts';
import { app } from '../../src/http/app.ts';
import { BLOB_BATCH_TYPE, encodeBlobBatch } from '../../src/publish/blob-batch.ts';
import { searchName, tokenKey } from '../../src/store/keys.ts';
import { ALL_SCOPES, newToken, parseToken, type TokenRecord } from '../../src/view/token.ts';
import { CollectedBlobs } from '../compile/trees.ts';

const ORIGIN = 'https://skilledge.example';
let organisations = 0;

/** Who did it, where nobody asks. */
export const ACTOR = { organisation: 'acme', label: 'test', kind: 'service' } as const;

/** Layers that tests pushed to. */
const pushed = new Map<string, Set<Layer>>();

// Nobody waits ten seconds for a test: uses and denials are told right behind the answer.
Object.assign(USAGE_LIMITS, { flushMilliseconds: 0 });
Object.assign(AUDIT_LIMITS, { flushMilliseconds: 0 });

/** Runs the alarms of an organisation's object until there is nothing to do before tomorrow; says how many there were. */
export async function runDueAlarms(organisation: string): Promise<number> {
  const stub = env.ORG.getByName(`o/${organisation}`);
  for (let alarms = 0; ; alarms += 1) {
    const at = await runInDurableObject(stub, (_object, state) => state.storage.getAlarm());
    if (at === null || at > Date.now() + ORG_LIMITS.retryMilliseconds) return alarms;
    await runDurableObjectAlarm(stub);
  }
}

/** Lets an organisation's objects finish what a publish left to their alarms: copies, then indexes. */
export async function settle(organisation: string): Promise<void> {
  await runDueAlarms(organisation);
  for (const layer of pushed.get(organisation) ?? [])
    while (await runDurableObjectAlarm(env.SEARCH.getByName(searchName(layer, organisation)))) continue;
}

/** The worker as a new isolate has it: every module anew, nothing remembered. */
export async function coldApp(organisation: string): Promise<typeof app> {
  // New modules are a new class of the object, which ends the old one: with nothing left to do, it does so quietly.
  await settle(organisation);
  await evictDurableObject(env.ORG.getByName(`o/${organisation}`));
  for (const layer of pushed.get(organisation) ?? [])
    await evictDurableObject(env.SEARCH.getByName(searchName(layer, organisation)));
  vi.resetModules();
  const limits = await import('../../src/core/limits.ts');
  for (const held of [limits.USAGE_LIMITS, limits.AUDIT_LIMITS])
    Object.assign(held, { flushMilliseconds: 0 });
  return (await import('../../src/http/app.ts')).app;
}

/** An organisation of its own for each test: nothing of one can be left over for another. */
export function newOrganisation(): string {
  organisations += 1;
  return `org-${organisations}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Writes a token as an operator would, and returns its text. */
export async function tokenFor(organisation: string, more: Partial<TokenRecord> = {}): Promise<string> {
  const token = newToken(organisation, { development: false });
  const record: TokenRecord = {
    version: 1,
    organisation,
    label: 'test',
    scopes: [...ALL_SCOPES],
    layers: null,
    expiresAt: null,
    trust: 'trusted',
    actor: 'service',
    ...more,
  };
  await env.KV.put(tokenKey(token.hash), JSON.stringify(record));
  return token.text;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Bindings to use instead of the real ones, such as counting ones. */
  readonly env?: Env;
  /** Another instance of the worker, such as one that remembers nothing yet. */
  readonly app?: typeof app;
  /** Called when the answer is there, before what goes on behind it. */
  readonly answered?: () => void;
}

/** One request through the whole worker. A body that is not a string or bytes is sent as JSON. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const { token, body, headers } = options;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  const request = new Request(new URL(path, ORIGIN), {
    method,
    headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  });
  const context = createExecutionContext();
  const response = await (options.app ?? app).fetch(request, options.env ?? env, context);
  options.answered?.();
  await waitOnExecutionContext(context);
  return response;
}

/** Compiles a tree and pushes it over HTTP, as the script does. */
export async function push(
  token: string,
  layer: Layer,
  tree: SourceTree,
  more: Partial<LayerSource> = {},
  options: CompileOptions = {},
): Promise<{ catalog: Digest; index: Digest; response: Response; blobs: CollectedBlobs }> {
  const blobs = new CollectedBlobs();
  const source = { tree, layout: treeLayout, trust: usualTrust(layer), ...more };
  const compiled = await compileSources(layer, [source], blobs, options);
  const organisation = parseToken(token)?.organisation ?? '';
  pushed.set(organisation, (pushed.get(organisation) ?? new Set()).add(layer));
  const digests = [...blobs.blobs.keys()];
  const asked = await call('POST', '/v1/push/missing', { token, body: { layer, digests } });
  const { catalog, index } = compiled;
  if (!asked.ok) return { catalog, index, response: asked, blobs };
  const answer: { missing: Digest[]; head: { catalog: Digest } | null } = await asked.json();
  const wanted = answer.missing.flatMap((digest) => {
    const blob = blobs.blobs.get(digest);
    return blob ? [{ digest, ...blob }] : [];
  });
  if (wanted.length > 0) await sendBlobs(token, layer, wanted);
  const response = await call('POST', '/v1/push/head', {
    token,
    body: { layer, catalog, index, expected: answer.head?.catalog ?? null },
  });
  return { catalog, index, response, blobs };
}

export function sendBlobs(
  token: string,
  layer: Layer,
  blobs: Parameters<typeof encodeBlobBatch>[0],
): Promise<Response> {
  return call('PUT', `/v1/push/blobs?layer=${encodeURIComponent(layer)}`, {
    token,
    body: encodeBlobBatch(blobs),
    headers: { 'Content-Type': BLOB_BATCH_TYPE },
  });
}
