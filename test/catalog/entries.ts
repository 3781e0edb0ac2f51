import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { digestOf } from '../../src/core/digest.ts';

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
