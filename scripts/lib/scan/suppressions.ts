import { z } from 'zod';
import { DigestSchema } from '../../../src/catalog/revision.ts';
import { SCAN_LIMITS } from '../../../src/core/limits.ts';
import type { Finding } from '../../../src/scan/finding.ts';
import { EVERY_RULE } from '../../../src/scan/rules/every-rule.ts';
import { verdictOf } from '../../../src/scan/severity.ts';
import type { ScannedSkill } from './scan-target.ts';

/** Findings that somebody looked at and takes the responsibility for, until a day. */
export const Suppressions = z.strictObject({
  version: z.literal(1),
  suppressions: z.array(
    z.strictObject({
      /** The finding's `hash`. */
      hash: DigestSchema,
      reason: z.string().trim().min(1),
      /** The last day on which it counts, as `2027-01-31`. */
      expires: z.iso.date(),
    }),
  ),
});
export type Suppressions = z.infer<typeof Suppressions>;

export interface Suppressed {
  readonly skills: readonly ScannedSkill[];
  /** Findings that were left out, with the reasons. */
  readonly left: readonly { readonly finding: Finding; readonly path: string; readonly reason: string }[];
  /** Suppressions whose day is over: they count for nothing. */
  readonly expired: Suppressions['suppressions'];
  /** Suppressions of what nothing found. */
  readonly unused: Suppressions['suppressions'];
}

/** Leaves suppressed findings out, and judges again without them. `today` is a date like `2026-11-30`. */
export function suppress(
  skills: readonly ScannedSkill[],
  { suppressions }: Suppressions,
  today: string,
): Suppressed {
  const expired = suppressions.filter(({ expires }) => expires < today);
  const active = new Map(
    suppressions.filter((entry) => !expired.includes(entry)).map((entry) => [entry.hash, entry]),
  );
  const used = new Set<string>();
  const left: Suppressed['left'][number][] = [];
  const judged = skills.map((skill): ScannedSkill => {
    const kept = skill.findings.filter((finding) => {
      const suppression = active.get(finding.hash);
      if (!suppression) return true;
      used.add(finding.hash);
      left.push({ finding, path: skill.path, reason: suppression.reason });
      return false;
    });
    if (kept.length === skill.findings.length) return skill;
    // Where a report is full, nobody knows what else was found.
    const whole = skill.complete && skill.findings.length < SCAN_LIMITS.findings;
    const weighed = kept.map((finding) => ({ finding, caution: CAUTION.has(finding.rule) }));
    return { ...skill, findings: kept, verdict: verdictOf(weighed, whole) };
  });
  return {
    skills: judged,
    left,
    expired,
    unused: suppressions.filter((entry) => !expired.includes(entry) && !used.has(entry.hash)),
  };
}

const CAUTION: ReadonlySet<string> = new Set(EVERY_RULE.filter(({ caution }) => caution).map(({ id }) => id));
