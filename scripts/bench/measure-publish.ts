import { leafFor } from '../../src/catalog/leaves.ts';
import { buildListingIndex } from '../../src/catalog/listing-index.ts';
import { buildCatalog, rootOf } from '../../src/catalog/merkle-catalog.ts';
import type { Digest } from '../../src/core/digest.ts';
import { BLOB_BATCH_TYPE, encodeBlobBatch } from '../../src/publish/blob-batch.ts';
import type { Bundle } from '../lib/bundle.ts';
import { pushLayer } from '../lib/push-bundle.ts';
import { type Blob, type Compiled, compileTree, LAYER, memoryBundle } from './compile-tree.ts';
import { command } from './control-orders.ts';
import { cpuMicroseconds } from './cpu-time.ts';
import { generatedTree } from './generate-skills.ts';
import type { Organisation } from './organisations.ts';
import type { Workerd } from './start-workerd.ts';
import { type Figure, median, ratioOver } from './statistics.ts';

/** In one round on one side: the clock of CPU time has ticks of ten milliseconds. */
const PUBLISHES = 3;
/** The search index and copies to KV follow by alarms: the index is asked for, the rest has nothing to wait for. */
const POLL_MILLISECONDS = 100;
const SETTLE_MILLISECONDS = 300;
const FOLLOW_MILLISECONDS = 30_000;

interface Sample {
  readonly microseconds: number;
  readonly milliseconds: number;
}

/** Publishes one changed skill into an organisation with few and into one with many, with all that follows from it. */
export async function measurePublish(
  deployment: Workerd,
  { few, many }: { readonly few: Organisation; readonly many: Organisation },
  workerd: number,
  rounds: number,
  show: (text: string) => void,
): Promise<Figure> {
  const samples: [Sample, Sample][] = [];
  const standing = new Map([few, many].map((organisation) => [organisation, organisation.compiled]));
  const publish = async (organisation: Organisation, edition: number): Promise<Sample> => {
    const before = standing.get(organisation) ?? organisation.compiled;
    const { compiled, bundle } = await nextEdition(organisation, before, edition);
    await storeColdFiles(deployment, organisation, bundle);
    standing.set(organisation, compiled);
    return publishOne(deployment, organisation, bundle, workerd);
  };
  const several = async (organisation: Organisation, round: number): Promise<Sample> => {
    const all: Sample[] = [];
    for (let count = 0; count < PUBLISHES; count += 1)
      all.push(await publish(organisation, round * PUBLISHES + count + 1));
    return {
      microseconds: all.reduce((sum, { microseconds }) => sum + microseconds, 0) / PUBLISHES,
      milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
    };
  };
  for (let round = 0; round <= rounds; round += 1) {
    show(`publishing one skill: round ${round} of ${rounds}`);
    const fewFirst = round % 2 === 0 ? await several(few, round) : null;
    const own = await several(many, round);
    const pair: [Sample, Sample] = [own, fewFirst ?? (await several(few, round))];
    // One round before the others finds everything compiled, and does not count.
    if (round > 0) samples.push(pair);
  }
  const shown = (of: (pair: [Sample, Sample]) => Sample, { compiled }: Organisation): string =>
    `${(median(samples.map((pair) => of(pair).microseconds)) / 1_000).toFixed(0)} ms CPU, ` +
    `${median(samples.map((pair) => of(pair).milliseconds)).toFixed(0)} ms, ${compiled.head.entries} skills`;
  return {
    id: 'publish-growth',
    ...ratioOver(samples.map(([own, base]) => [own.microseconds, base.microseconds])),
    unit: 'times',
    budget: 1.25,
    bound: 'at most',
    measured: shown(([own]) => own, many),
    against: shown(([, base]) => base, few),
  };
}

async function publishOne(
  { urls }: Workerd,
  { name, token }: Organisation,
  bundle: Bundle,
  workerd: number,
): Promise<Sample> {
  const [layer] = bundle.layers;
  if (!layer) throw new Error('a bundle without a layer');
  const before = cpuMicroseconds(workerd);
  const started = performance.now();
  await pushLayer(bundle, layer, { url: urls.product, token });
  const milliseconds = performance.now() - started;
  const standing = { organisation: name, layer: LAYER, order: 'standing' } as const;
  while ((await command(urls.control, standing)).catalog !== layer.catalog) {
    if (performance.now() - started > FOLLOW_MILLISECONDS)
      throw new Error('publish: the search index does not follow');
    await pause(POLL_MILLISECONDS);
  }
  await pause(SETTLE_MILLISECONDS);
  return { microseconds: cpuMicroseconds(workerd) - before, milliseconds };
}

/** What an edition leaves as it was is there before it is published: a store that was filled beforehand has no cold files. */
async function storeColdFiles(
  { urls }: Workerd,
  { token }: Organisation,
  { blobs, read }: Bundle,
): Promise<void> {
  const cold = blobs.filter(({ tier }) => tier === 'cold');
  if (cold.length === 0) return;
  const body = encodeBlobBatch(cold.map(({ digest, tier }) => ({ digest, tier, bytes: read(digest) })));
  const stored = await fetch(new URL(`/v1/push/blobs?layer=${LAYER}`, urls.product), {
    method: 'PUT',
    body,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': BLOB_BATCH_TYPE },
  });
  if (!stored.ok) throw new Error(`publish: cold files were not stored: ${await stored.text()}`);
}

/**
 * An organisation's skills with another edition of one of them, and a bundle of what changed by that: the skill, its
 * shard and its branch, the root, and the index with the page that it is on.
 */
async function nextEdition(
  { shape }: Organisation,
  { head, entries, nodes }: Compiled,
  edition: number,
): Promise<{ compiled: Compiled; bundle: Bundle }> {
  const index = (edition * 7_919) % entries.length;
  const blobs = new Map<Digest, Blob>();
  const tree = generatedTree([index], { ...shape, edition });
  const [changed] = (await compileTree(tree, (digest, blob) => blobs.set(digest, blob))).entries;
  const before = changed && leafFor(head.shards, changed.name);
  if (!before) throw new Error('a skill that was never published');
  const all = entries.map((entry) => (entry.name === changed.name ? changed : entry));
  const start = all.findIndex(({ name }) => name === before.first);
  // Where a shard ends depends on names only, so that the others are as they were.
  const [shard] = buildCatalog(LAYER, all.slice(start, start + before.count)).shards;
  if (!shard) throw new Error('a shard without entries');
  const shards = head.shards.map((one) => (one === before ? { ...before, digest: shard.digest } : one));
  const gates = head.gates ?? {};
  const [{ root, branches }, listing] = [rootOf(LAYER, shards, gates), buildListingIndex(all)];
  const known = new Set(
    [...rootOf(LAYER, head.shards, gates).branches, ...(head.pages ?? [])].map(({ digest }) => digest),
  );
  const fresh = [...branches, ...listing.pages].filter(({ digest }) => !known.has(digest));
  for (const { digest, text } of [shard, ...fresh, root, listing.root])
    blobs.set(digest, { bytes: new TextEncoder().encode(text), tier: 'hot' });
  const marks = { catalog: root.digest, index: listing.root.digest };
  const moved = { ...head, ...marks, pages: listing.references, shards };
  const compiled = { head: moved, entries: all, nodes };
  return { compiled, bundle: memoryBundle(compiled, blobs) };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
