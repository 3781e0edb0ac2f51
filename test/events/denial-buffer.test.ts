import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AuditReport } from '../../src/audit/audit-act.ts';
import { AUDIT_LIMITS } from '../../src/core/limits.ts';
import { digestOf } from '../../src/core/digest.ts';
import { DenialBuffer } from '../../src/events/denial-buffer.ts';
import { ACTOR } from '../audit/logs.ts';

let told: [organisation: string, ...reports: [key: string, times: number, at: number][]][] = [];
let fails = 0;
let buffer: DenialBuffer;
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
  [told, fails] = [[], 0];
  buffer = new DenialBuffer(async (organisation, reports) => {
    told.push([
      organisation,
      ...reports.map(({ key, times, at }): [string, number, number] => [key, times, at]),
    ]);
    fails -= 1;
    if (fails >= 0) throw new Error('not now');
  }, 10_000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
const deny = (key: string, organisation = 'acme') => {
  const details = {
    revision: digestOf(key),
    code: 'skill_denied',
    reason: 'deny_rule',
    rule: null,
    ruleLayer: null,
    unrecorded: 0,
  };
  const act = { act: 'skill_denied' as const, subject: key, details };
  const report: AuditReport = { key, at: Date.now(), times: 1, actor: ACTOR, act };
  buffer.record(organisation, report, () => undefined);
};

describe('denials that are held back', () => {
  it('are told together: of those that are alike the first, and how many there were', async () => {
    deny('a');
    await pass(5);
    for (let call = 0; call < 1_000; call += 1) deny('a');
    deny('b');
    deny('a', 'other');
    await pass(10_000);
    expect(told).toEqual([
      ['acme', ['a', 1_001, 1_000], ['b', 1, 1_005]],
      ['other', ['a', 1, 1_005]],
    ]);
  });

  it('are told once more where they cannot be told, with what came since', async () => {
    fails = 1;
    deny('a');
    await pass(10_000);
    deny('a');
    await pass(10_000);
    expect(told).toEqual([
      ['acme', ['a', 1, 1_000]],
      ['acme', ['a', 2, 1_000]],
    ]);
  });

  it('are never more than a call takes', async () => {
    for (let key = 0; key < AUDIT_LIMITS.bufferedDenials * 3; key += 1) deny(`${key}`);
    await pass(0);
    expect(told.map(([, ...reports]) => reports.length)).toEqual(Array(3).fill(AUDIT_LIMITS.bufferedDenials));
    expect(AUDIT_LIMITS.bufferedDenials).toBeLessThanOrEqual(AUDIT_LIMITS.reportsAtOnce);
  });
});
