import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeCatalog, type EntryChange } from '../../src/catalog/change-catalog.ts';
import { buildListingIndex, changeListingIndex } from '../../src/catalog/listing-index.ts';
import { buildCatalog, CatalogRoot, CatalogShard, type Gates } from '../../src/catalog/merkle-catalog.ts';
import { digestOf } from '../../src/core/digest.ts';
import { entry } from './entries.ts';
import { rowsOf } from './index-rows.ts';

const LAYER = 'org';

/** A layer as it is stored, and how many of its shards were read. */
function stored(names: readonly string[], gates: Gates = {}) {
  const entries = names.map((name) => entry(name));
  const built = buildCatalog(LAYER, entries, gates);
  const contents = new Map(
    built.shards.map(({ digest, text }) => [digest, CatalogShard.parse(JSON.parse(text))]),
  );
  const root = CatalogRoot.parse(JSON.parse(built.root.text));
  const reads: number[] = [];
  const change = (changes: readonly EntryChange[]) =>
    changeCatalog(LAYER, root, changes, async (references) => {
      reads.push(references.length);
      return references.map(({ digest }) => contents.get(digest) ?? null);
    });
  return { entries, built, change, reads };
}

const put = (name: string, description = 'new'): EntryChange => ({
  name,
  entry: entry(name, { description }),
});
const remove = (name: string): EntryChange => ({ name, entry: null });

/** Names of a few letters, so that changes often hit what is there, and hashes that end shards are among them. */
const NAMES = Array.from({ length: 3_000 }, (_, at) => `s${at}`);
const ENDING = NAMES.filter(
  (name) => Number.parseInt(digestOf(name).slice('sha256:'.length, 15), 16) % 128 === 0,
);

describe('changing a catalog', () => {
  it('gives the very catalog and index that building it anew gives', async () => {
    const name = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom(...ENDING));
    const subject = fc.record({
      names: fc.uniqueArray(name, { maxLength: 400 }),
      changes: fc.uniqueArray(fc.tuple(name, fc.boolean()), { maxLength: 20, selector: ([one]) => one }),
    });
    await fc.assert(
      fc.asyncProperty(subject, async ({ names, changes }) => {
        const { entries, change } = stored(names);
        const asked = changes.map(([one, stays]) => (stays ? put(one) : remove(one)));
        const touched = new Set(asked.map((each) => each.name));
        const added = asked.flatMap((each) => each.entry ?? []);
        const all = [...entries.filter((each) => !touched.has(each.name)), ...added];
        const expected = buildCatalog(LAYER, all);
        const after = await change(asked);
        expect(after?.root).toEqual(expected.root);
        const known = new Set(expected.shards.map(({ digest }) => digest));
        expect(after?.fresh.every(({ digest }) => known.has(digest))).toBe(true);
        const shown = rowsOf(buildListingIndex(entries));
        expect(changeListingIndex(shown, touched, added)).toEqual(buildListingIndex(all));
      }),
      { numRuns: 200 },
    );
  });

  it('reads and writes one shard of thousands, and one more where a name ends a shard', async () => {
    const { change, reads, built } = stored(NAMES);
    expect(built.shards.length).toBeGreaterThan(10);
    const plain = await change([put('s77')]);
    expect([reads, plain?.fresh.length]).toEqual([[1], 1]);
    reads.length = 0;
    const joined = await change([remove(ENDING[3] ?? '')]);
    expect([reads, joined?.fresh.length]).toEqual([[1, 1], 1]);
  });

  it('keeps, sets and takes away the flags that skills wait for', async () => {
    const { change } = stored(['a', 'b', 'c', 'd'], { a: 'alpha', b: 'alpha', c: 'alpha' });
    const after = await change([
      put('a'),
      remove('b'),
      { ...put('c'), flag: null },
      { ...put('d'), flag: 'beta' },
    ]);
    expect(after?.gates).toEqual({ a: 'alpha', d: 'beta' });
  });

  it('is nothing where a shard cannot be read', async () => {
    const { built } = stored(['a']);
    const root = CatalogRoot.parse(JSON.parse(built.root.text));
    expect(await changeCatalog(LAYER, root, [put('b')], async () => [null])).toBeNull();
  });
});

describe('changing a listing index', () => {
  it('leaves out no more than it must of a layer that is longer than it', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `s${10_000 + at}`);
    const shown = rowsOf(buildListingIndex(names.map((name) => entry(name))));
    const after = rowsOf(changeListingIndex(shown, new Set(['s10000']), [entry('a')]));
    expect([after.length, after[0]?.name]).toEqual([4_096, 'a']);
  });

  it('keeps the counts of texts that stay as they are', () => {
    const tokens = { body: 9, listing: [5, 3, 4] };
    const shown = rowsOf(buildListingIndex([entry('a', { tokens }), entry('b', { tokens })]));
    const after = rowsOf(changeListingIndex(shown, new Set(['b']), [entry('c')]));
    expect(after.map((each) => each.tokens)).toEqual([tokens.listing, null]);
  });
});
