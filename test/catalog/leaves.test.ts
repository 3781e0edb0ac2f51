import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EntryName } from '../../src/catalog/catalog-entry.ts';
import { cutIntoLeaves, LeafReferences } from '../../src/catalog/leaves.ts';
import { DigestSchema } from '../../src/catalog/revision.ts';

const BY_SCHEMA = z.array(
  z.strictObject({ first: EntryName, count: z.int().positive(), digest: DigestSchema }),
);
const { references } = cutIntoLeaves(Array.from({ length: 400 }, (_, at) => ({ name: `s-${at}` })));

describe('references to leaves', () => {
  it('are taken as they are written', () => {
    expect(references.length).toBeGreaterThan(1);
    expect(LeafReferences.parse(JSON.parse(JSON.stringify(references)))).toEqual(references);
    expect(LeafReferences.parse([])).toEqual([]);
  });

  it('are checked by hand as a schema would check them', () => {
    const [good] = references;
    const wrong = fc.oneof(
      fc.constantFrom(undefined, null, 0, -1, 1.5, 2 ** 53, '', 'x\n', '\ud800', 'x'.repeat(3_000), {}, []),
      fc.constantFrom(good?.first, good?.count, good?.digest, good?.digest.toUpperCase()),
      fc.string(),
    );
    const reference = fc.record(
      { first: wrong, count: wrong, digest: wrong, more: wrong },
      { requiredKeys: [] },
    );
    const near = fc.tuple(fc.constantFrom('first', 'count', 'digest', 'more'), wrong);
    const changed = near.map(([key, value]) => ({ ...good, [key]: value }));
    const lists = fc.array(fc.oneof(fc.constant(good), changed, reference, wrong), { maxLength: 3 });
    fc.assert(
      fc.property(fc.oneof(lists, wrong), (value) => {
        const written: unknown = JSON.parse(JSON.stringify(value) ?? 'null');
        expect(LeafReferences.safeParse(written).success).toBe(BY_SCHEMA.safeParse(written).success);
      }),
      { numRuns: 3_000 },
    );
  });
});
