import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureRetrieval, recallAt } from '../../scripts/lib/measure-retrieval.ts';

const CORPORA = resolve(import.meta.dirname, '../../../shared/corpora');

describe.skipIf(!existsSync(CORPORA))('search over real skills', () => {
  it('finds the right one for what people ask', { timeout: 60_000 }, async () => {
    const retrieval = await measureRetrieval(CORPORA);
    expect(retrieval).not.toBeNull();
    if (!retrieval) return;
    expect(retrieval.ranks.length).toBeGreaterThanOrEqual(150);
    expect(retrieval.skills).toBeGreaterThanOrEqual(600);
    expect(recallAt(1, retrieval)).toBeGreaterThanOrEqual(0.87);
    expect(recallAt(5, retrieval)).toBeGreaterThanOrEqual(0.96);
    expect(recallAt(10, retrieval)).toBeGreaterThanOrEqual(0.98);
  });
});
