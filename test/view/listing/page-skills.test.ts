import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalog, CatalogRoot, CatalogShard } from '../../../src/catalog/merkle-catalog.ts';
import { byCodeUnit } from '../../../src/core/canonical-json.ts';
import { type Digest, digestOf } from '../../../src/core/digest.ts';
import { pageSkills } from '../../../src/view/listing/page-skills.ts';
import type { BlobStore } from '../../../src/view/ports.ts';
import { assembleView } from '../../../src/view/view.ts';
import { entry } from '../../catalog/entries.ts';

/** A view over catalogs that are held in memory, and how many rounds were read of it. */
function memory(layers: Record<string, readonly string[]>) {
  const texts = new Map<Digest, string>();
  let rounds = 0;
  const records = Object.entries(layers).map(([layer, names]) => {
    const { root, shards } = buildCatalog(
      layer,
      names.map((name) => entry(name, { revision: digestOf(`${layer} ${name}`) })),
    );
    for (const shard of shards) texts.set(shard.digest, shard.text);
    const { entries, shards: references } = CatalogRoot.parse(JSON.parse(root.text));
    const head = { sequence: 1, catalog: root.digest, index: root.digest, entries, shards: references };
    return { version: 1 as const, layer, head, settings: null };
  });
  const blobs: BlobStore = {
    readMany: async () => [],
    async readDocuments(wanted, kind) {
      rounds += 1;
      return wanted.map(({ digest }) => kind.parse(texts.get(digest) ?? ''));
    },
  };
  return { view: assembleView('acme', records), blobs, rounds: () => rounds };
}

async function walk(subject: ReturnType<typeof memory>, limit: number): Promise<string[]> {
  const names: string[] = [];
  for (let cursor = ''; ;) {
    const page = await pageSkills(subject.blobs, subject.view, cursor, limit);
    names.push(...(page?.skills.map(({ name, layer }) => `${layer} ${name}`) ?? []));
    if (!page || page.next === null) return names;
    cursor = page.next;
  }
}

describe('pageSkills', () => {
  it('shows every skill of every layer once, in order, whatever the page size', async () => {
    const names = fc.uniqueArray(
      fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'Z', '-', 'é') }),
      { maxLength: 40 },
    );
    await fc.assert(
      fc.asyncProperty(names, names, fc.integer({ min: 1, max: 9 }), async (org, user, limit) => {
        const shown = await walk(memory({ org, 'user:x': user }), limit);
        const all = [...new Set([...org, ...user])]
          .toSorted(byCodeUnit)
          .flatMap((name) => [
            ...(org.includes(name) ? [`org ${name}`] : []),
            ...(user.includes(name) ? [`user:x ${org.includes(name) ? `user:x/${name}` : name}`] : []),
          ]);
        expect(shown).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });

  it('reads a few shards for a page of thousands', async () => {
    const subject = memory({ org: Array.from({ length: 5_000 }, (_, index) => `skill-${index}`) });
    const page = await pageSkills(subject.blobs, subject.view, 'skill-3', 100);
    expect(page?.skills).toHaveLength(100);
    expect(subject.rounds()).toBeLessThanOrEqual(4);
  });

  it('says that a shard cannot be read, rather than leaving its skills out', async () => {
    const subject = memory({ org: ['a'] });
    const broken: BlobStore = { ...subject.blobs, readDocuments: async (wanted) => wanted.map(() => null) };
    expect(await pageSkills(broken, subject.view, '', 10)).toBeNull();
    expect(CatalogShard.safeParse({ version: 1, entries: [] }).success).toBe(false);
  });
});
