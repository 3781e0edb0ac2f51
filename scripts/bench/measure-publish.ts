import { buildListingIndex } from '../../src/catalog/listing-index.ts';
import { buildCatalog, CatalogRoot } from '../../src/catalog/merkle-catalog.ts';
import type { Digest } from '../../src/core/digest.ts';
import type { Bundle } from '../lib/bundle.ts';
import { pushLayer } from '../lib/push-bundle.ts';
import { type Blob, type Compiled, compileTree, LAYER, memoryBundle } from './compile-tree.ts';
import { command } from './control-orders.ts';
import { cpuMicroseconds } from './cpu-time.ts';
import { generatedTree } from './generate-skills.ts';
import type { Organisation } from './organisations.ts';
import type { Workerd } from './start-workerd.ts';
import { type Figure, median, ratioOver } from './statistics.ts';

const PUBLISHES = 3;
/** The copies to KV and the search index follow by alarms, which have nothing to wait for. */
const SETTLE_MILLISECONDS = 700;

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
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MILLISECONDS));
  const microseconds = cpuMicroseconds(workerd) - before;
  const where = { organisation: name, layer: LAYER };
  const { catalog } = await command(urls.control, { ...where, order: 'standing' });
  if (catalog !== layer.catalog) throw new Error('publish: the search index does not follow');
  return { microseconds, milliseconds };
}

/** An organisation's skills with another edition of one of them, and a bundle of what changed by that. */
async function nextEdition(
  { shape }: Organisation,
  { head, entries, nodes }: Compiled,
  edition: number,
): Promise<{ compiled: Compiled; bundle: Bundle }> {
  const index = (edition * 7) % entries.length;
  const blobs = new Map<Digest, Blob>();
  const [changed] = (
    await compileTree(generatedTree([index], { ...shape, edition }), (digest, blob) =>
      blobs.set(digest, blob),
    )
  ).entries;
  if (!changed) throw new Error('a tree without a skill');
  const all = entries.map((entry) => (entry.name === changed.name ? changed : entry));
  const catalog = buildCatalog(LAYER, all);
  const listing = buildListingIndex(all);
  const documents = [...catalog.shards, catalog.root, listing];
  const fresh = new Map(
    documents.map(({ digest, text }): [Digest, Blob] => [
      digest,
      { bytes: new TextEncoder().encode(text), tier: 'hot' },
    ]),
  );
  const { shards, gates } = CatalogRoot.parse(JSON.parse(catalog.root.text));
  const compiled = {
    head: { catalog: catalog.root.digest, index: listing.digest, entries: head.entries, shards, gates },
    entries: all,
    nodes: fresh,
  };
  const unknown = [...fresh].filter(([digest]) => !nodes.has(digest));
  return { compiled, bundle: memoryBundle(compiled, new Map([...blobs, ...unknown])) };
}
