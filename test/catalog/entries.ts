import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { isOneOf } from '../../src/catalog/leaves.ts';
import { digestOf } from '../../src/core/digest.ts';
import { CATALOG_LIMITS } from '../../src/core/limits.ts';

/** A catalog row for tests; what is not said is plausible. */
export function entry(name: string, more: Partial<CatalogEntry> = {}): CatalogEntry {
  return {
    name,
    revision: digestOf(`revision ${name}`),
    report: digestOf(`report ${name}`),
    skillFile: { sha256: digestOf(`file ${name}`), size: 10 },
    description: `About ${name}`,
    whenToUse: '',
    shortDescription: '',
    version: null,
    listing: 'auto',
    userInvocable: true,
    context: 'inline',
    kind: 'skill',
    trust: 'trusted',
    scope: null,
    paths: [],
    platforms: [],
    products: [],
    plugin: null,
    origins: [name],
    tokens: null,
    ...more,
  };
}

/** Names that each end a shard, so that a few of them make a catalog of many. */
export function namesEndingShards(count: number): string[] {
  const names: string[] = [];
  for (let at = 0; names.length < count; at += 1)
    if (isOneOf(CATALOG_LIMITS.leafEntries, digestOf(`s${at}`))) names.push(`s${at}`);
  return names;
}
