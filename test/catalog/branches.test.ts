import { describe, expect, it } from 'vitest';
import { CatalogBranch, cutIntoBranches } from '../../src/catalog/branches.ts';
import { branchesOf, buildCatalog, openRoot, rootOf, StoredRoot } from '../../src/catalog/merkle-catalog.ts';
import { digestOf } from '../../src/core/digest.ts';
import { entry, namesEndingShards } from './entries.ts';

const shards = (count: number, edition = new Map<number, string>()) =>
  Array.from({ length: count }, (_, at) => ({
    first: `s${String(at).padStart(5, '0')}`,
    count: 100,
    digest: digestOf(`${at} ${edition.get(at) ?? ''}`),
  }));
const branchesFor = (count: number) =>
  cutIntoBranches(shards(count)).map(({ text }) => CatalogBranch.parse(JSON.parse(text)));
const stored = (text: string) => StoredRoot.parse(JSON.parse(text));

describe('the branches of a catalog', () => {
  it('are none where the root has its shards itself, as it always had', () => {
    for (const count of [0, 1, 64]) {
      const { root, branches } = rootOf('org', shards(count), {});
      expect([count, branches]).toEqual([count, []]);
      expect(stored(root.text)).toMatchObject({ version: 1, shards: shards(count) });
    }
  });

  it('hold all shards in their order, some in each', () => {
    for (const count of [65, 780, 3_000]) {
      const branches = branchesFor(count);
      expect(branches.flatMap((branch) => branch.shards)).toEqual(shards(count));
      expect(Math.max(...branches.map((branch) => branch.shards.length))).toBeLessThanOrEqual(128);
      expect(branches.length).toBeLessThan(count / 16);
    }
    expect(branchesFor(3_000).length).toBeGreaterThan(3_000 / 64);
  });

  it('stay as they are, but for the one with a shard that is other', () => {
    const known = new Set(cutIntoBranches(shards(780)).map(({ digest }) => digest));
    const fresh = Array.from({ length: 200 }, (_, at) => {
      const after = cutIntoBranches(shards(780, new Map([[at * 3, 'other']])));
      return after.filter(({ digest }) => !known.has(digest)).length;
    });
    expect(Math.min(...fresh)).toBe(1);
    expect(fresh.reduce((sum, count) => sum + count, 0) / fresh.length).toBeLessThan(1.5);
  });

  it('give back the root that names them, and a short one', () => {
    const { root, branches } = rootOf('org', shards(780), { s00001: 'beta' });
    expect(root.text.length).toBeLessThan(8_000);
    const [opened, read] = [stored(root.text), branchesFor(780)];
    expect(branchesOf(opened)).toEqual(branches.map(({ digest }) => digest));
    expect(openRoot(opened, read)).toEqual({
      version: 1,
      layer: 'org',
      entries: 78_000,
      shards: shards(780),
      gates: { s00001: 'beta' },
    });
    expect(openRoot(opened, [null, ...read.slice(1)])).toBeNull();
  });

  it('are not asked for by a root from before, however many shards it has', () => {
    const old = stored(
      JSON.stringify({ version: 1, layer: 'org', entries: 78_000, shards: shards(780), gates: {} }),
    );
    expect(openRoot(old, [])).toEqual(old);
    expect(branchesOf(old)).toEqual([]);
  });

  it('are no more than can be read together', () => {
    const branches = Array.from({ length: 1_001 }, (_, at) => digestOf(`${at}`));
    const root = { version: 2, layer: 'org', entries: 0, branches, gates: {} };
    expect(StoredRoot.safeParse(root).success).toBe(false);
    expect(StoredRoot.safeParse({ ...root, branches: branches.slice(1) }).success).toBe(true);
    const twice = [branches[0], branches[1], branches[0]];
    expect(StoredRoot.safeParse({ ...root, branches: twice }).success).toBe(false);
  });

  it('have no more shards than there are skills', () => {
    const { root } = rootOf('org', shards(780), {});
    const read = branchesFor(780);
    const forged = (entries: number) => ({ ...stored(root.text), entries });
    expect(openRoot(forged(780), read)?.shards).toHaveLength(780);
    expect(openRoot(forged(779), read)).toBeNull();
  });

  it('are there as soon as names make many shards', () => {
    const catalog = buildCatalog(
      'org',
      namesEndingShards(70).map((name) => entry(name)),
    );
    expect(catalog.shards).toHaveLength(70);
    expect(catalog.branches.length).toBeGreaterThan(0);
  });
});
