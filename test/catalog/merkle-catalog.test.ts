import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CatalogBranch } from '../../src/catalog/branches.ts';
import {
  buildCatalog,
  CatalogShard,
  findEntry,
  openRoot,
  StoredRoot,
} from '../../src/catalog/merkle-catalog.ts';
import { leafFor } from '../../src/catalog/leaves.ts';
import { byCodeUnit } from '../../src/core/canonical-json.ts';
import { digestOf } from '../../src/core/digest.ts';
import { entry } from './entries.ts';

function open(catalog: ReturnType<typeof buildCatalog>) {
  const stored = StoredRoot.parse(JSON.parse(catalog.root.text));
  const branches = catalog.branches.map(({ text }) => CatalogBranch.parse(JSON.parse(text)));
  const root = openRoot(stored, branches);
  if (!root) throw new Error('a catalog without one of its branches');
  const shards = new Map(
    catalog.shards.map((node) => [node.digest, CatalogShard.parse(JSON.parse(node.text))]),
  );
  return { root, shards };
}

const names = (count: number, prefix = 'skill') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

describe('the Merkle catalog', () => {
  it('finds every entry through the root and one shard, and nothing else', () => {
    const all = names(3_000);
    const { root, shards } = open(
      buildCatalog(
        'org',
        all.map((name) => entry(name)),
      ),
    );
    for (const name of all) {
      const shard = leafFor(root.shards, name);
      expect(shard && findEntry(shards.get(shard.digest) ?? { version: 1, entries: [] }, name)?.name).toBe(
        name,
      );
    }
    for (const name of ['', 'skill', 'skill-3000', 'zzz', '\u0000']) {
      const shard = leafFor(root.shards, name);
      const found = shard ? findEntry(shards.get(shard.digest) ?? { version: 1, entries: [] }, name) : null;
      expect(found).toBeNull();
    }
  });

  it('is named by its content, whatever the order of the entries', () => {
    const subject = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 60 });
    fc.assert(
      fc.property(subject, fc.infiniteStream(fc.nat()), (list, random) => {
        const entries = list.map((name) => entry(name));
        const shuffled = entries
          .map((value) => ({ value, key: random.next().value }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ value }) => value);
        const [first, second] = [buildCatalog('org', entries), buildCatalog('org', shuffled)];
        expect(second.root).toEqual(first.root);
        expect(first.root.digest).toBe(digestOf(first.root.text));
      }),
      { numRuns: 300 },
    );
  });

  it('rewrites one shard and the root when one skill is added, changed or removed', () => {
    const all = names(5_000);
    const before = buildCatalog(
      'org',
      all.map((name) => entry(name)),
    );
    const known = new Set(before.shards.map((shard) => shard.digest));
    const changes = {
      added: [...all, 'skill-new'].map((name) => entry(name)),
      changed: all.map((name) => entry(name, name === 'skill-77' ? { description: 'other' } : {})),
      removed: all.filter((name) => name !== 'skill-77').map((name) => entry(name)),
    };
    for (const [change, entries] of Object.entries(changes)) {
      const fresh = buildCatalog('org', entries).shards.filter((shard) => !known.has(shard.digest));
      // A name whose own hash ends a shard splits or joins two; these do not.
      expect([change, fresh.length]).toEqual([change, 1]);
    }
  });

  it('keeps shards near their size', () => {
    const { root } = open(
      buildCatalog(
        'org',
        names(20_000).map((name) => entry(name)),
      ),
    );
    const counts = root.shards.map((shard) => shard.count);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000);
    expect(Math.max(...counts)).toBeLessThanOrEqual(512);
    expect(root.shards.length).toBeGreaterThan(20_000 / 256);
    expect(root.shards.length).toBeLessThan(20_000 / 64);
    expect(root.shards.map((shard) => shard.first)).toEqual(
      root.shards.map((shard) => shard.first).toSorted(byCodeUnit),
    );
  });

  it('tells layers apart, and can be empty', () => {
    expect(buildCatalog('org', []).root.digest).not.toBe(buildCatalog('bundled', []).root.digest);
    expect(open(buildCatalog('org', [])).root).toMatchObject({ entries: 0, shards: [] });
  });
});
