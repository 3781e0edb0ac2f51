import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/scan/finding.ts';
import { HELD_OUT, HELD_OUT_LOOK_ALIKES, HOSTILE, LOOK_ALIKES } from './fixtures/all.ts';
import type { LookAlike } from './fixtures/fixture.ts';
import { outcomeOf, scanFixture } from './measure.ts';

/** What was found when the held-out skills were measured, after the last tuning: rules may get better, not worse. */
const HELD_OUT_RIGHT = 40;
const HELD_OUT_ALARMS = 2;

const VERDICTS: readonly Verdict[] = ['safe', 'caution', 'dangerous'];

function isAlarm(skill: LookAlike): boolean {
  return VERDICTS.indexOf(scanFixture(skill).verdict) > VERDICTS.indexOf(skill.worst);
}

describe('hostile skills', () => {
  it.each(HOSTILE.map((skill) => [skill.expected.category, skill.id, skill] as const))(
    '%s: %s is found at the right severity',
    (_category, _id, skill) => {
      const { findings, complete } = scanFixture(skill);
      expect(complete).toBe(true);
      expect(outcomeOf(skill, findings), JSON.stringify(findings, null, 2)).toBe('right');
    },
  );

  it('are found where nobody tuned, as often as is claimed', () => {
    const right = HELD_OUT.filter((skill) => outcomeOf(skill, scanFixture(skill).findings) === 'right');
    expect(right.length).toBeGreaterThanOrEqual(HELD_OUT_RIGHT);
  });
});

describe('honest skills that look like them', () => {
  it.each(LOOK_ALIKES.map((skill) => [skill.id, skill.worst, skill] as const))(
    '%s is %s at worst',
    (_id, _worst, skill) => {
      expect(isAlarm(skill), JSON.stringify(scanFixture(skill).findings, null, 2)).toBe(false);
    },
  );

  it('are alarmed about, where nobody tuned, no more often than is claimed', () => {
    expect(HELD_OUT_LOOK_ALIKES.filter(isAlarm).length).toBeLessThanOrEqual(HELD_OUT_ALARMS);
  });
});
