import { byCodeUnit } from '../core/canonical-json.ts';
import type { CatalogEntry } from './catalog-entry.ts';
import type { Layer } from './layers.ts';
import { byName, type CatalogNode, closedLeaf, cutLeaves, type Leaf, type LeafReference } from './leaves.ts';
import { type CatalogShard, type Gates, type RootNodes, rootOf } from './merkle-catalog.ts';

export interface EntryChange {
  readonly name: string;
  /** What the catalog has under the name from now on; null: nothing. */
  readonly entry: CatalogEntry | null;
  /** The feature flag that it waits for; not there: the one that the name had. */
  readonly flag?: string | null;
}

export interface StandingCatalog {
  readonly shards: readonly LeafReference[];
  readonly gates: Gates;
}

/** The catalog with the changes in it, all of its branches, and those of its shards that were not there before. */
export interface ChangedCatalog extends StandingCatalog, RootNodes {
  readonly fresh: readonly CatalogNode[];
}

/** Null for a shard that cannot be read. */
type ReadShards = (references: readonly LeafReference[]) => Promise<readonly (CatalogShard | null)[]>;

/**
 * Changes some entries of a catalog: the very catalog that `buildCatalog` makes of all entries, out of the shards that the
 * changes fall into, and of the next one where a name at the end of a shard comes or goes. Null where one cannot be read.
 */
export async function changeCatalog(
  layer: Layer,
  standing: StandingCatalog,
  changes: readonly EntryChange[],
  read: ReadShards,
): Promise<ChangedCatalog | null> {
  const parts = partition(standing.shards, changes);
  const touched = parts.flatMap(({ shard, own }) => (shard && own.length > 0 ? [shard] : []));
  const contents = await read(touched);
  const known = new Map(touched.map((shard, at) => [shard, contents[at] ?? null]));
  const shards: LeafReference[] = [];
  const fresh: CatalogNode[] = [];
  const take = (cut: readonly Leaf[]): void => {
    for (const { reference, node } of cut) {
      shards.push(reference);
      fresh.push(node);
    }
  };
  let open: CatalogEntry[] = [];
  for (const { shard, own } of parts) {
    if (shard && own.length === 0 && open.length === 0) {
      shards.push(shard);
      continue;
    }
    const content = shard && (known.get(shard) ?? (await read([shard]))[0]);
    if (shard && !content) return null;
    const after = cutLeaves([...open, ...changed(content?.entries ?? [], own)]);
    take(after.cut);
    ({ open } = after);
  }
  take(closedLeaf(open));
  const before = new Set(standing.shards.map(({ digest }) => digest));
  const gates = changedGates(standing.gates, changes);
  return {
    ...rootOf(layer, shards, gates),
    shards,
    gates,
    fresh: fresh.filter(({ digest }) => !before.has(digest)),
  };
}

interface Part {
  readonly shard: LeafReference | null;
  readonly own: readonly EntryChange[];
}

/** Each shard with the changes that fall into it: those before the name that the next one begins with. */
function partition(shards: readonly LeafReference[], changes: readonly EntryChange[]): Part[] {
  const sorted = changes.toSorted((one, other) => byCodeUnit(one.name, other.name));
  if (shards.length === 0) return [{ shard: null, own: sorted }];
  let from = 0;
  return shards.map((shard, index) => {
    const next = shards[index + 1];
    const left = sorted.slice(from);
    const end = next ? left.findIndex(({ name }) => byCodeUnit(name, next.first) >= 0) : -1;
    const own = end === -1 ? left : left.slice(0, end);
    from += own.length;
    return { shard, own };
  });
}

function changed(entries: readonly CatalogEntry[], own: readonly EntryChange[]): CatalogEntry[] {
  const names = new Set(own.map(({ name }) => name));
  return byName([
    ...entries.filter(({ name }) => !names.has(name)),
    ...own.flatMap(({ entry }) => entry ?? []),
  ]);
}

function changedGates(gates: Gates, changes: readonly EntryChange[]): Gates {
  const after = new Map(Object.entries(gates));
  for (const { name, entry, flag } of changes) {
    if (entry === null || flag === null) after.delete(name);
    else if (flag !== undefined) after.set(name, flag);
  }
  return Object.fromEntries(after);
}
