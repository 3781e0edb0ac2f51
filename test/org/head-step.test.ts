import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { headAfter, headStep } from '../../src/org/head-step.ts';

const leaf = (name: string, edition: number) => ({
  first: name,
  count: 1,
  digest: digestOf(`${name} ${edition}`),
});
/** Few names and editions, so that many leaves of two lists are the same. */
const Leaves = fc
  .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 1 })), {
    selector: ([name]) => name,
  })
  .map((leaves) => leaves.map(([name, edition]) => leaf(`skill-${name}`, edition)));
const Head = fc.record({ shards: Leaves, pages: Leaves }).map((leaves) => ({
  catalog: digestOf(JSON.stringify(leaves.shards)),
  index: digestOf(JSON.stringify(leaves.pages)),
  entries: leaves.shards.length,
  gates: {},
  ...leaves,
}));

describe('headStep', () => {
  it('leads from any head to any other', () => {
    fc.assert(
      fc.property(Head, Head, (before, after) => {
        const step = headStep({ ...before, sequence: 1 }, after);
        expect(step && headAfter({ ...before, sequence: 1 }, step)).toEqual(after);
      }),
    );
  });

  it('tells of one changed leaf among hundreds only that', () => {
    const shards = Array.from({ length: 800 }, (_, at) => leaf(`skill-${at}`, 0));
    const head = {
      catalog: digestOf('c'),
      index: digestOf('i'),
      entries: 800,
      shards,
      pages: [leaf('a', 0)],
    };
    const step = headStep(
      { ...head, sequence: 7 },
      { ...head, shards: shards.with(400, leaf('skill-400', 1)) },
    );
    expect(step?.shards).toEqual({ first: 400, between: [leaf('skill-400', 1)], last: 399 });
    expect(JSON.stringify(step).length).toBeLessThan(1_000);
  });

  it('tells by pages of a head that had none, and not of one that has none', () => {
    const old = { sequence: 1, catalog: digestOf('c'), index: digestOf('i'), entries: 0, shards: [] };
    const { sequence: _sequence, ...older } = old;
    const after = { ...older, pages: [leaf('a', 0)] };
    const step = headStep(old, after);
    expect(step && headAfter(old, step)).toEqual(after);
    expect(headStep(old, older)).toBeNull();
  });
});
