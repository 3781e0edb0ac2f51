import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { USAGE_LIMITS } from '../../src/core/limits.ts';
import {
  DECAY_MILLISECONDS,
  takeSnapshot,
  usageScore,
  UsageSnapshot,
} from '../../src/view/usage-snapshot.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 30);

describe('the score of a skill', () => {
  it.each([
    [0, 1_000],
    [1, 906],
    [7, 500],
    [14, 250],
    [23, 103],
    [24, 100],
    [30, 100],
    [400, 100],
  ])('%i days after its last use is %i for each use', (days, score) => {
    expect(usageScore(1, NOW - days * DAY, NOW)).toBe(score);
    expect(Math.abs(usageScore(40, NOW - days * DAY, NOW) - 40 * score)).toBeLessThanOrEqual(20);
  });

  it('never rises while it is not used, and rises with every use', () => {
    const days = fc.integer({ min: 0, max: 100 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), days, days, (count, age, more) => {
        const now = usageScore(count, NOW - age * DAY, NOW);
        expect(usageScore(count, NOW - (age + more) * DAY, NOW)).toBeLessThanOrEqual(now);
        expect(usageScore(count + 1, NOW - age * DAY, NOW)).toBeGreaterThan(now);
      }),
    );
  });

  it('stands still after the time of decay, and not before', () => {
    const at = (age: number) => usageScore(1_000, NOW - age, NOW);
    expect(at(DECAY_MILLISECONDS - DAY)).toBeGreaterThan(at(DECAY_MILLISECONDS));
    expect(at(DECAY_MILLISECONDS)).toBe(at(DECAY_MILLISECONDS * 10));
  });

  it('is no more than that of today for a clock that is ahead', () => {
    expect(usageScore(1, NOW + DAY, NOW)).toBe(1_000);
  });
});

describe('a snapshot', () => {
  const count = (name: string, times: number, usedAt = NOW, layer = 'org') => ({
    layer,
    name,
    count: times,
    usedAt,
  });

  it('has the best first, the same whatever order they came in', () => {
    const counts = [
      count('b', 2),
      count('a', 2),
      count('old', 9, NOW - 400 * DAY),
      count('a', 2, NOW, 'mcp:x'),
    ];
    const expected = [
      { layer: 'mcp:x', name: 'a', score: 2_000 },
      { layer: 'org', name: 'a', score: 2_000 },
      { layer: 'org', name: 'b', score: 2_000 },
      { layer: 'org', name: 'old', score: 900 },
    ];
    expect(takeSnapshot(counts, NOW)).toEqual({ at: '2026-11-30T00:00:00.000Z', scores: expected });
    expect(takeSnapshot(counts.toReversed(), NOW).scores).toEqual(expected);
  });

  it('is small, however many skills there are and whatever they are called', () => {
    const many = (name: (at: number) => string) =>
      takeSnapshot(
        Array.from({ length: USAGE_LIMITS.skills }, (_, at) => count(name(at), at + 1)),
        NOW,
      );
    const usual = many((at) => `skill-${at}`);
    expect(usual.scores).toHaveLength(USAGE_LIMITS.snapshotSkills);
    expect(usual.scores[0]).toEqual({ layer: 'org', name: 'skill-9999', score: 10_000_000 });
    const long = many((at) => `${at}`.padEnd(600, '"'));
    expect(JSON.stringify(long).length).toBeLessThan(USAGE_LIMITS.snapshotCharacters + 1_000);
    for (const snapshot of [usual, long]) expect(UsageSnapshot.parse(snapshot)).toEqual(snapshot);
  });
});
