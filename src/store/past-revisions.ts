import { CatalogEntry } from '../catalog/catalog-entry.ts';
import { parseJson } from '../view/json-document.ts';
import type { PastRevisions } from '../view/ports.ts';
import { revisionKey, versionKey } from './keys.ts';
import { readBulk } from './read-bulk.ts';

/** Entries that publishing wrote beside the catalogs, one key for each revision and version of a layer. */
export function pastRevisions(env: Pick<Env, 'KV'>): PastRevisions {
  const readEntries = async (keys: readonly string[]): Promise<(CatalogEntry | null)[]> => {
    const texts = await readBulk(
      env.KV,
      keys.map((key) => ({ key, size: 0 })),
    );
    return keys.map((key) => {
      const text = texts.get(key);
      return text === null || text === undefined ? null : parseJson(CatalogEntry, text);
    });
  };
  return {
    byRevision: (layers, organisation, revision) =>
      readEntries(layers.map((layer) => revisionKey(layer, organisation, revision))),
    byVersion: (layers, organisation, name, version) =>
      readEntries(layers.map((layer) => versionKey(layer, organisation, name, version))),
  };
}
