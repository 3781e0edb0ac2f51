import { describe, expect, it } from 'vitest';
import { countsFor, rulesInForce } from '../../src/policy/in-force.ts';
import type { PolicyRule } from '../../src/policy/rule.ts';
import { CallRule, LastingRule, SessionRule, signRules } from '../../src/policy/written-rule.ts';

const NOON = Date.UTC(2030, 0, 1, 12);
const MINUTE = 60_000;

function until(minutes: number): PolicyRule {
  const at = new Date(NOON + minutes * MINUTE).toISOString();
  return { effect: 'allow', pattern: 'Bash', layer: 'project', expires: { until: 'time', at } };
}

describe('rules in force', () => {
  it('are those whose time is not over, until the next of them ends', () => {
    const forEver: PolicyRule = { effect: 'deny', pattern: 'Read', layer: 'user' };
    const all = [until(-1), until(0), until(5), until(3), forEver];
    expect(rulesInForce(all, NOON)).toEqual({
      rules: [until(5), until(3), forEver],
      until: NOON + 3 * MINUTE,
    });
    expect(rulesInForce([forEver], NOON).until).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['allow', 'sha256:a', 'sha256:a', true],
    ['allow', 'sha256:a', 'sha256:b', false],
    ['allow', 'sha256:a', null, false],
    ['deny', 'sha256:a', 'sha256:b', false],
    ['deny', 'sha256:a', null, true],
    ['ask', 'sha256:a', null, true],
  ] as const)('%s for %s, seen of %s: %s', (effect, revision, seen, counts) => {
    const rule: PolicyRule = {
      effect,
      pattern: 'Skill(x)',
      layer: 'user',
      expires: { until: 'revision', revision },
    };
    expect(countsFor(rule, seen)).toBe(counts);
  });
});

describe('a rule that is sent', () => {
  const revision = `sha256:${'a'.repeat(64)}`;
  const rule = { effect: 'allow', pattern: 'Skill(x)' };
  it.each<[string, unknown, boolean, boolean, boolean]>([
    ['plain', rule, true, true, true],
    ['unreadable', { ...rule, pattern: 'Skill(' }, false, false, false],
    ['of somebody else', { ...rule, by: 'root' }, false, true, false],
    ['of another layer', { ...rule, layer: 'deployment' }, false, true, false],
    ['with a slip of the pen', { ...rule, expire: {} }, false, false, false],
    ['for a while', { ...rule, expires: until(5).expires }, false, true, true],
    ['for a revision', { ...rule, expires: { until: 'revision', revision } }, false, true, true],
    [
      'for the revision of a tool',
      { effect: 'deny', pattern: 'Bash', expires: { until: 'revision', revision } },
      false,
      false,
      false,
    ],
    ['for a turn', { ...rule, expires: { until: 'turn' } }, false, false, true],
    ['for ever', { ...rule, expires: { until: 'never' } }, false, false, false],
  ])('%s', (_, sent, forCall, lasting, forSession) => {
    expect([CallRule, LastingRule, SessionRule].map((schema) => schema.safeParse(sent).success)).toEqual([
      forCall,
      lasting,
      forSession,
    ]);
  });

  it('gets its layer and its author from the call, and keeps those of before', () => {
    const sent = { effect: 'ask' as const, pattern: 'Bash', reason: 'why' };
    const [first] = signRules([sent], [], 'user', 'ci', NOON);
    const signed = { ...sent, layer: 'user', by: 'ci', since: '2030-01-01T12:00:00.000Z' };
    expect(first).toEqual(signed);
    const other = { ...sent, reason: 'other' };
    const again = signRules([sent, other, sent], first ? [first] : [], 'user', 'bot', NOON + MINUTE);
    const since = '2030-01-01T12:01:00.000Z';
    expect(again).toEqual([signed, { ...other, layer: 'user', by: 'bot', since }]);
    expect(LastingRule.parse({ ...signed, layer: 'deployment', by: 'root' })).toEqual(sent);
  });
});
