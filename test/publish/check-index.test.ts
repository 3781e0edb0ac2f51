import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { leafFor } from '../../src/catalog/leaves.ts';
import { buildListingIndex, ListingIndex } from '../../src/catalog/listing-index.ts';
import { buildCatalog, CatalogRoot, CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import type { Digest } from '../../src/core/digest.ts';
import { indexFault } from '../../src/publish/check-index.ts';
import type { BlobStore } from '../../src/view/ports.ts';
import { entry } from '../catalog/entries.ts';

/** A layer that is published, and all that it is made of. */
function published(entries: readonly CatalogEntry[], texts: Map<Digest, string>) {
  const { root, shards } = buildCatalog('org', entries);
  const index = buildListingIndex(entries);
  for (const { digest, text } of [...shards, ...index.pages]) texts.set(digest, text);
  return {
    root: CatalogRoot.parse(JSON.parse(root.text)),
    index: ListingIndex.parse(JSON.parse(index.root.text)),
  };
}

type Layer = ReturnType<typeof published>;

async function faultAfter(
  before: Layer,
  { root }: Layer,
  index: ListingIndex,
  texts: ReadonlyMap<Digest, string>,
): Promise<string | null> {
  const blobs: BlobStore = {
    readMany: async () => [],
    readDocuments: async (wanted, kind) => wanted.map(({ digest }) => kind.parse(texts.get(digest) ?? '')),
  };
  const known = new Set(before.root.shards.map(({ digest }) => digest));
  const fresh = root.shards.filter(({ digest }) => !known.has(digest));
  return indexFault(blobs, index, {
    space: 'o/acme',
    root,
    fresh: new Map(
      fresh.map(({ digest }) => [digest, CatalogShard.parse(JSON.parse(texts.get(digest) ?? ''))]),
    ),
    before: { shards: before.root.shards, pages: before.index.pages },
  });
}

const NAMES = Array.from({ length: 700 }, (_, at) => `s${at}`);
const change = fc.record({
  name: fc.constantFrom(...NAMES),
  kind: fc.constantFrom('removed', 'other', 'added', 'emptied'),
});
const changed = (entries: readonly CatalogEntry[], changes: readonly { name: string; kind: string }[]) => {
  const rows = new Map(entries.map((row) => [row.name, row]));
  for (const { name, kind } of changes) {
    if (kind === 'removed') rows.delete(name);
    else if (kind === 'emptied') {
      // A shard of which nothing is left changes no other one.
      const { shards } = CatalogRoot.parse(JSON.parse(buildCatalog('org', entries).root.text));
      const shard = leafFor(shards, name);
      for (const other of rows.keys()) if (leafFor(shards, other) === shard) rows.delete(other);
    } else if (kind === 'other') rows.set(name, entry(name, { description: 'Other.' }));
    else rows.set(`${name}-more`, entry(`${name}-more`));
  }
  return [...rows.values()];
};

describe('the check of a listing index', () => {
  it('takes the index of a catalog after any change of it, and no index that shows a row otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(NAMES, { minLength: 300 }),
        fc.array(change, { maxLength: 4 }),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (names, changes, lies) => {
          const texts = new Map<Digest, string>();
          const first = changed(
            names.map((name) => entry(name)),
            [],
          );
          const then = changed(first, changes);
          const [before, after] = [published(first, texts), published(then, texts)];
          expect(await faultAfter(before, after, after.index, texts)).toBeNull();
          // Whatever else an index may show: what was shown before, or never.
          for (const shown of [first, changed(then, lies), changed(first, lies)]) {
            const rows = new Map(then.map((row) => [row.name, row.description]));
            const honest = shown.every(({ name, description }) => rows.get(name) === description);
            const fault = await faultAfter(before, after, published(shown, texts).index, texts);
            expect(fault === null).toBe(honest);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each<[string, (pages: ListingIndex['pages']) => ListingIndex['pages']]>([
    ['pages in another order', (pages) => pages.toReversed()],
    ['a page twice', (pages) => pages.flatMap((page) => [page, page])],
    ['a page that begins elsewhere', (pages) => pages.map((page) => ({ ...page, first: `${page.first}0` }))],
    ['a page with more than it has', (pages) => pages.map((page) => ({ ...page, count: page.count + 1 }))],
    [
      'a page that is not there',
      (pages) => pages.map((page) => ({ ...page, digest: `sha256:${'0'.repeat(64)}` })),
    ],
  ])('refuses %s', async (_what, forge) => {
    const texts = new Map<Digest, string>();
    const layer = published(
      NAMES.map((name) => entry(name)),
      texts,
    );
    const nothing = published([], texts);
    expect(layer.index.pages.length).toBeGreaterThan(1);
    expect(await faultAfter(nothing, layer, layer.index, texts)).toBeNull();
    const forged = { ...layer.index, pages: forge(layer.index.pages) };
    expect(await faultAfter(nothing, layer, forged, texts)).not.toBeNull();
  });
});
