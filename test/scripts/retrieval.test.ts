import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { measureDetection } from '../../scripts/lib/measure-detection.ts';
import { measureListingRecall } from '../../scripts/lib/measure-listing-recall.ts';
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

describe.skipIf(!existsSync(CORPORA))('listings of real skills', () => {
  it('name the right one when they are told what is to be done', { timeout: 120_000 }, async () => {
    const [recall] = (await measureListingRecall(CORPORA, [200_000])) ?? [];
    expect(recall?.named).toBeGreaterThanOrEqual(0.97);
    // Hundreds of names do not fit, so that without the query most are missing.
    expect(recall?.namedWithoutQuery).toBeLessThan(0.6);
  });
});

describe.skipIf(!existsSync(CORPORA))('detection over real skills', () => {
  it(
    'finds trigger phrases in most, and with them the right skill more often than another',
    { timeout: 60_000 },
    async () => {
      const detection = await measureDetection(CORPORA);
      expect(detection).not.toBeNull();
      if (!detection) return;
      expect(detection.triggerable).toBeGreaterThanOrEqual(0.65 * detection.skills);
      expect(detection.first).toBeGreaterThanOrEqual(50);
      expect(detection.otherFirst).toBeLessThanOrEqual(46);
    },
  );
});
