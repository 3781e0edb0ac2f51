import type { Digest } from '../../src/core/digest.ts';
import { blobKey, tokenKey, viewKey } from '../../src/store/keys.ts';
import { newToken, type TokenRecord } from '../../src/view/token.ts';
import type { ViewRecord } from '../../src/view/view-record.ts';
import { pushLayer } from '../lib/push-bundle.ts';
import { type Blob, type Compiled, compileTree, LAYER, memoryBundle } from './compile-tree.ts';
import { command } from './control-orders.ts';
import { firstSkills, generatedTree, type SkillShape } from './generate-skills.ts';
import type { KvFile } from './kv-file.ts';
import { seedSearch } from './seed-search.ts';
import type { Workerd } from './start-workerd.ts';

/** An organisation of the benchmark, with the first so many of the generated skills. */
export interface Organisation {
  readonly name: string;
  readonly token: string;
  readonly shape: SkillShape;
  readonly compiled: Compiled;
}

/** Makes an organisation as everybody does: a token, then a push. */
export async function pushOrganisation(
  { urls, putKv }: Workerd,
  name: string,
  count: number,
  shape: SkillShape,
  show: (text: string) => void,
): Promise<Organisation> {
  const blobs = new Map<Digest, Blob>();
  show(`compiling ${count} skills`);
  const compiled = await compileTree(generatedTree(firstSkills(count), shape), (digest, blob) =>
    blobs.set(digest, blob),
  );
  const bundle = memoryBundle(compiled, new Map([...blobs, ...compiled.nodes]));
  const { key, record, text } = newBenchToken(name);
  await putKv(key, record);
  for (const layer of bundle.layers) {
    await pushLayer(bundle, layer, { url: urls.product, token: text }, (done, all) =>
      show(`pushing ${done} of ${all} blobs`),
    );
  }
  return { name, token: text, shape, compiled };
}

export interface SeededOrganisation extends Organisation {
  readonly read: (digest: Digest) => Uint8Array;
  readonly blobs: readonly { readonly digest: Digest; readonly size: number }[];
}

/**
 * Writes an organisation to a store that is not open yet, since pushing 100,000 skills would take the whole time of the
 * benchmark: under the keys that a push writes, the very bytes that it would compile. What R2 has besides is left out:
 * it is asked for other files than SKILL.md, and where KV lags behind.
 */
export async function seedOrganisation(
  kv: KvFile,
  name: string,
  count: number,
  shape: SkillShape,
  show: (text: string) => void,
): Promise<SeededOrganisation> {
  const stored = new Map<Digest, number>();
  const put = (digest: Digest, { bytes, tier }: Blob): void => {
    if (!stored.has(digest) && tier === 'hot') kv.put(blobKey(`o/${name}`, digest), bytes);
    stored.set(digest, bytes.length);
  };
  const compiled = await compileTree(generatedTree(firstSkills(count), shape), put, (done, all) => {
    if (done % 1_000 === 0) show(`compiling and storing ${done} of ${all} skills`);
  });
  for (const [digest, node] of compiled.nodes) put(digest, node);
  const { key, record, text } = newBenchToken(name);
  kv.put(key, record);
  const blobs = [...stored].map(([digest, size]) => ({ digest, size }));
  const read = (digest: Digest): Uint8Array => kv.get(blobKey(`o/${name}`, digest));
  return { name, token: text, shape, compiled, blobs, read };
}

const BLOBS_AT_ONCE = 20_000;
const INDEX_MILLISECONDS = 30_000;

/** Tells the objects of a seeded organisation what they would know after a push, and waits until its skills can be searched. */
export async function announceOrganisation(
  { urls, objectFile }: Workerd,
  { name, compiled, blobs, read }: SeededOrganisation,
  show: (text: string) => void,
): Promise<void> {
  const where = { organisation: name, layer: LAYER };
  const { id } = await command(urls.control, { ...where, order: 'search-id' });
  seedSearch(objectFile('SearchObject', id), compiled, read, (done, all) =>
    show(`indexing ${done} of ${all} skills`),
  );
  for (let start = 0; start < blobs.length; start += BLOBS_AT_ONCE) {
    show(`recording ${start} of ${blobs.length} blobs`);
    const some = blobs.slice(start, start + BLOBS_AT_ONCE);
    await command(urls.control, { ...where, order: 'record-blobs', blobs: some });
  }
  await command(urls.control, { ...where, order: 'move-head', head: compiled.head });
  const deadline = Date.now() + INDEX_MILLISECONDS;
  while ((await command(urls.control, { ...where, order: 'standing' })).catalog !== compiled.head.catalog) {
    if (Date.now() > deadline) throw new Error('the search index does not take the rows made for it');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/**
 * Writes an organisation of which only a listing is wanted: its token, view record and listing index, with the bytes that
 * another one's compiled skills have. Returns the token.
 */
export function seedListing(kv: KvFile, name: string, { head, nodes }: Compiled): string {
  const { key, record, text } = newBenchToken(name);
  const view: ViewRecord = { version: 1, layer: LAYER, head: { sequence: 1, ...head }, settings: null };
  kv.put(key, record);
  kv.put(viewKey(LAYER, name), JSON.stringify(view));
  for (const { digest } of head.pages ?? []) {
    const page = nodes.get(digest);
    if (!page) throw new Error('a compiled layer without its index');
    kv.put(blobKey(`o/${name}`, digest), page.bytes);
  }
  return text;
}

/** A token, and how it is stored. */
function newBenchToken(organisation: string): { text: string; key: string; record: string } {
  const { text, hash } = newToken(organisation, { development: false });
  const record: TokenRecord = {
    version: 1,
    organisation,
    label: 'bench',
    scopes: ['skills:read', 'skills:invoke', 'layers:push'],
    layers: null,
    expiresAt: null,
    trust: 'trusted',
    actor: 'service',
  };
  return { text, key: tokenKey(hash), record: JSON.stringify(record) };
}
