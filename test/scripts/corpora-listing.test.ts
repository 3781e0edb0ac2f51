import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { diskTree } from '../../scripts/lib/disk-tree.ts';
import { loadTokenCounter } from '../../scripts/lib/token-counter.ts';
import { ListingIndex } from '../../src/catalog/listing-index.ts';
import { CatalogRoot } from '../../src/catalog/merkle-catalog.ts';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { fitToWindow, mergeListing, NO_WISHES } from '../../src/view/listing/list-skills.ts';
import type { BlobStore } from '../../src/view/ports.ts';
import { assembleView } from '../../src/view/view.ts';
import { CollectedBlobs } from '../compile/trees.ts';

/** Real skills by other people, where the workspace has them. Nothing in the project needs them. */
const CORPORA = resolve(import.meta.dirname, '../../../shared/corpora');
const WINDOWS = [8_000, 32_000, 128_000, 200_000, 1_000_000];

describe.skipIf(!existsSync(CORPORA))(
  'a listing of real skills (skipped where the workspace has none)',
  () => {
    it('never exceeds its budget, and counts every skill', async () => {
      const blobs = new CollectedBlobs();
      const counter = await loadTokenCounter();
      const layer = await compileLayer('org', diskTree(CORPORA), blobs, { counter });
      const { entries, shards } = CatalogRoot.parse(JSON.parse(blobs.text(layer.catalog)));
      const { pages } = ListingIndex.parse(JSON.parse(blobs.text(layer.index)));
      const head = { sequence: 1, catalog: layer.catalog, index: layer.index, pages, entries, shards };
      const view = assembleView('acme', [{ version: 1, layer: 'org', head, settings: null }]);
      const store: BlobStore = {
        readMany: async () => [],
        readDocuments: async (wanted, kind) => wanted.map(({ digest }) => kind.parse(blobs.text(digest))),
      };
      const merged = await mergeListing(store, view);
      expect(merged?.total).toBe(layer.skills);
      for (const window of [...WINDOWS, null]) {
        if (!merged) continue;
        const { text, used, budget, counts } = fitToWindow(view, merged, window);
        expect(used).toBe(text.length);
        expect(used).toBeLessThanOrEqual(budget);
        const { total, ...states } = counts;
        expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(total);
        expect(total).toBe(layer.skills);
        // With thousands of skills there is always something to fill the budget with.
        expect(used).toBeGreaterThan(budget * 0.9);
        for (const layout of ['lines', 'reminder'] as const) {
          const counted = fitToWindow(view, merged, window, { ...NO_WISHES, unit: 'counted', layout });
          expect(counted.estimatedEntries).toBe(0);
          expect(countTokens(counted.text, { disallowedSpecial: new Set() })).toBe(counted.used);
          expect(counted.used).toBeLessThanOrEqual(counted.budget);
          expect(counted.used).toBeGreaterThan(counted.budget * 0.9);
        }
      }
    }, 60_000);
  },
);
