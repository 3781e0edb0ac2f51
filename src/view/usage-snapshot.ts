import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { byCodeUnit } from '../core/canonical-json.ts';
import { USAGE_LIMITS } from '../core/limits.ts';
import type { SkillCount } from './ports.ts';

/** How much each skill was used, by the organisation's own count, as it stood at a time: best first. */
export const UsageSnapshot = z.strictObject({
  at: z.iso.datetime(),
  scores: z
    .array(z.strictObject({ layer: Layer, name: z.string(), score: z.int().positive() }))
    .max(USAGE_LIMITS.snapshotSkills),
});
export type UsageSnapshot = z.infer<typeof UsageSnapshot>;

/** Whole numbers, so that the order is the same wherever they are compared: thousandths of a use of today. */
export function usageScore(count: number, usedAt: number, now: number): number {
  const { halfLifeMilliseconds, leastShare } = USAGE_LIMITS;
  const share = 0.5 ** (Math.max(0, now - usedAt) / halfLifeMilliseconds);
  return Math.round(1_000 * count * Math.max(share, leastShare));
}

/** After this time scores do not fall any more. */
export const DECAY_MILLISECONDS = USAGE_LIMITS.halfLifeMilliseconds * Math.log2(1 / USAGE_LIMITS.leastShare);

/** Scores of the skills that are used most, as many as a view record has room for. */
export function takeSnapshot(counts: readonly SkillCount[], now: number): UsageSnapshot {
  const best = counts
    .map(({ layer, name, count, usedAt }) => ({ layer, name, score: usageScore(count, usedAt, now) }))
    .toSorted(
      (left, right) =>
        right.score - left.score || byCodeUnit(left.layer, right.layer) || byCodeUnit(left.name, right.name),
    )
    .slice(0, USAGE_LIMITS.snapshotSkills);
  let characters = 0;
  const scores = best.filter((row) => {
    characters += JSON.stringify(row).length;
    return characters <= USAGE_LIMITS.snapshotCharacters;
  });
  return { at: new Date(now).toISOString(), scores };
}
