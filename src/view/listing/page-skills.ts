import { isUntrusted } from '../../catalog/provenance.ts';
import type { CatalogEntry } from '../../catalog/catalog-entry.ts';
import { byCodeUnit } from '../../core/canonical-json.ts';
import { CATALOG_LIMITS } from '../../core/limits.ts';
import { SHARD } from '../find-skill.ts';
import type { BlobStore } from '../ports.ts';
import { nameAsRead } from '../taken-names.ts';
import { isSwitchedOff, type View, type ViewLayer } from '../view.ts';

/** One row of `GET /v1/skills`. `name` is what to call it by: qualified where another layer has the bare name. */
export interface SkillRow {
  readonly name: string;
  readonly layer: string;
  readonly origins: readonly { readonly layer: string; readonly folder: string }[];
  readonly revision: string;
  readonly description: string;
  readonly version: string | null;
  readonly listing: CatalogEntry['listing'];
  readonly userInvocable: boolean;
  readonly context: CatalogEntry['context'];
  readonly kind: CatalogEntry['kind'];
  readonly trust: CatalogEntry['trust'];
  readonly scope: string | null;
}

export interface SkillPage {
  readonly skills: readonly SkillRow[];
  /** Give it back as `cursor=` for the next page; null at the end. */
  readonly next: string | null;
}

/**
 * One page of a view in name order, read shard by shard from every layer in step. Namesakes of several layers stay
 * together on one page, so that a cursor is simply the last name.
 */
export async function pageSkills(
  blobs: BlobStore,
  view: View,
  after: string,
  limit: number = CATALOG_LIMITS.pageEntries,
): Promise<SkillPage | null> {
  const readers = view.layers.map((layer) => layerReader(view, layer, after));
  for (;;) {
    const hungry = readers.filter((reader) => reader.wants(limit + 1));
    if (hungry.length === 0) break;
    const wanted = hungry.flatMap((reader) => reader.next());
    const shards = await blobs.readDocuments(wanted, SHARD);
    for (const [index, reader] of hungry.entries()) {
      const shard = shards[index];
      if (!shard) return null;
      reader.take(shard.entries);
    }
  }
  const groups = new Map<string, { layer: ViewLayer; entry: CatalogEntry }[]>();
  for (const reader of readers) {
    for (const entry of reader.entries) {
      groups.set(entry.name, [...(groups.get(entry.name) ?? []), { layer: reader.layer, entry }]);
    }
  }
  const names = [...groups.keys()].toSorted(byCodeUnit);
  const shown = names.slice(0, limit);
  const last = shown.at(-1);
  return {
    skills: shown.flatMap((name) => rows(groups.get(name) ?? [])),
    next: names.length > limit && last !== undefined ? last : null,
  };
}

function rows(group: readonly { layer: ViewLayer; entry: CatalogEntry }[]): SkillRow[] {
  const distinct: { layer: ViewLayer; entry: CatalogEntry; origins: { layer: string; folder: string }[] }[] =
    [];
  for (const { layer, entry } of group) {
    const origins = entry.origins.map((folder) => ({ layer: layer.layer, folder }));
    const twin = distinct.find((other) => other.entry.revision === entry.revision);
    if (twin) twin.origins.push(...origins);
    else distinct.push({ layer, entry, origins });
  }
  return distinct.map(({ layer, entry, origins }, index) => ({
    name: index === 0 && !isDisguised(entry) ? entry.name : `${layer.layer}/${entry.name}`,
    layer: layer.layer,
    origins,
    revision: entry.revision,
    description: entry.description,
    version: entry.version,
    listing: entry.listing,
    userInvocable: entry.userInvocable,
    context: entry.context,
    kind: entry.kind,
    trust: entry.trust,
    scope: entry.scope,
  }));
}

/** A name from anybody that is not spelt plainly may look like another one, which may stand on another page. */
function isDisguised({ name, trust }: CatalogEntry): boolean {
  return isUntrusted(trust) && nameAsRead(name) !== name;
}

/** Walks one layer's shards from a name on. */
function layerReader(view: View, layer: ViewLayer, after: string) {
  const { shards } = layer.head;
  let position = Math.max(
    0,
    shards.findLastIndex((shard) => byCodeUnit(shard.first, after) <= 0),
  );
  const entries: CatalogEntry[] = [];
  return {
    layer,
    entries,
    wants: (count: number): boolean => entries.length < count && position < shards.length,
    next() {
      const shard = shards[position];
      position += 1;
      return shard ? [{ space: layer.space, digest: shard.digest }] : [];
    },
    take(found: readonly CatalogEntry[]): void {
      entries.push(
        ...found.filter(({ name }) => byCodeUnit(name, after) > 0 && !isSwitchedOff(view, layer, name)),
      );
    },
  };
}
