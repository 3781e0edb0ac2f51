import { BoundedCache } from '../core/bounded-cache.ts';
import { digestOf } from '../core/digest.ts';
import { CACHE_LIMITS } from '../core/limits.ts';
import type { BlobStore, WantedBlob } from '../view/ports.ts';
import { blobKey } from './keys.ts';
import { readBulk } from './read-bulk.ts';

/** Bytes that were read in this isolate, by storage key: immutable, so never stale. */
const blobs = new BoundedCache<string, Uint8Array>(CACHE_LIMITS.blobBytes);
/** Larger files are asked for rarely and would push the bodies out. */
const LARGEST_REMEMBERED = CACHE_LIMITS.blobBytes / 32;

/** Blobs over KV (hot) and R2 (all); a KV miss falls back to R2, since KV lags behind and R2 does not. */
export function blobStore(env: Pick<Env, 'KV' | 'R2'>): BlobStore {
  return {
    readMany: (wanted) =>
      remembering(wanted, blobs, LARGEST_REMEMBERED, async (missing) =>
        (await load(env, missing)).map(
          (loaded) => loaded && { value: loaded.bytes, size: loaded.bytes.length },
        ),
      ),
    readDocuments: (wanted, kind) =>
      remembering(wanted, kind.remembered, CACHE_LIMITS.documentBytes, async (missing) =>
        (await load(env, missing, kind.mostBytes)).map((loaded) => {
          const value = loaded && kind.parse(loaded.text ?? new TextDecoder().decode(loaded.bytes));
          return loaded && value !== null ? { value, size: loaded.bytes.length } : null;
        }),
      ),
  };
}

/** Answers from a cache what it knows, loads the rest at once, and remembers it. */
async function remembering<Value extends object>(
  wanted: readonly WantedBlob[],
  cache: BoundedCache<string, Value>,
  largest: number,
  loadMissing: (missing: WantedBlob[]) => Promise<({ value: Value; size: number } | null)[]>,
): Promise<(Value | null)[]> {
  const keys = wanted.map(({ space, digest }) => blobKey(space, digest));
  const values = keys.map((key) => cache.get(key) ?? null);
  const holes = values.flatMap((value, index) => (value === null ? [index] : []));
  if (holes.length === 0) return values;
  const loaded = await loadMissing(holes.flatMap((index) => wanted[index] ?? []));
  for (const [position, index] of holes.entries()) {
    const found = loaded[position];
    const key = keys[index];
    if (!found || key === undefined) continue;
    values[index] = found.value;
    if (found.size <= largest && wanted[index]?.once !== true) cache.set(key, found.value, found.size);
  }
  return values;
}

interface Loaded {
  readonly bytes: Uint8Array;
  /** The same as text, where it came as text. */
  readonly text?: string;
}

async function load(
  env: Pick<Env, 'KV' | 'R2'>,
  wanted: readonly WantedBlob[],
  mostBytes = Infinity,
): Promise<(Loaded | null)[]> {
  const hot = wanted.filter((blob) => blob.tier !== 'cold');
  const texts = await readBulk(
    env.KV,
    hot.map(({ space, digest, size }) => ({ key: blobKey(space, digest), size })),
  );
  return Promise.all(
    wanted.map(async ({ space, digest, size }) => {
      const key = blobKey(space, digest);
      const text = texts.get(key) ?? null;
      const hotBytes = text === null ? null : new TextEncoder().encode(text);
      // KV answers with text; where that does not give back the very bytes (a byte order mark), R2's copy does.
      if (text !== null && hotBytes && digestOf(hotBytes) === digest)
        return hotBytes.length > mostBytes ? null : { text, bytes: hotBytes };
      const object = await env.R2.get(key);
      // A size that a tenant says is held against what is there before any of it is in memory.
      if (object && (object.size > mostBytes || (size !== undefined && object.size !== size))) {
        await object.body.cancel();
        return null;
      }
      const bytes = object ? new Uint8Array(await object.arrayBuffer()) : null;
      return bytes && digestOf(bytes) === digest ? { bytes } : null;
    }),
  );
}
