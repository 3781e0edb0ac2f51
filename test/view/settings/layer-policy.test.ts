import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../../src/policy/rule.ts';
import { withRules } from '../../../src/view/settings/layer-policy.ts';
import { assembleView } from '../../../src/view/view.ts';
import type { ViewRecord } from '../../../src/view/view-record.ts';

const ALLOW: PolicyRule = { effect: 'allow', pattern: 'Bash', layer: 'deployment' };

function record(layer: string, policy: PolicyRule[] = [ALLOW]): ViewRecord {
  return { version: 1, layer, head: null, settings: null, policy };
}

describe('rules of layers', () => {
  it('speak for whom they were written, whatever is stored in them', () => {
    const view = assembleView(
      'acme',
      ['org', 'project:web', 'user:al'].map((layer) => record(layer)),
    );
    expect(view.rules.map(({ layer }) => layer)).toEqual(['organisation', 'project', 'user']);
  });

  it('of strangers do not exist', () => {
    const layers = ['bundled', 'plugin:p', 'mcp:m'];
    expect(
      assembleView(
        'acme',
        layers.map((layer) => record(layer)),
      ).rules,
    ).toEqual([]);
  });

  it('make another view when they change', () => {
    const prints = [[], [ALLOW], [{ ...ALLOW, pattern: 'Read' }]].map(
      (policy) => assembleView('acme', [record('org', policy)]).fingerprint,
    );
    expect(new Set(prints).size).toBe(3);
  });

  it('last as long as the first of them does', () => {
    const now = Date.now();
    const ends = (minutes: number): PolicyRule => {
      const at = new Date(now + minutes * 60_000).toISOString();
      return { ...ALLOW, pattern: `Bash(a${minutes})`, expires: { until: 'time', at } };
    };
    const view = assembleView('acme', [record('org', [ends(9), ends(-1)])]);
    expect([view.rules.length, view.validUntil]).toEqual([1, now + 9 * 60_000]);
    const narrower = withRules(view, [ends(5), ends(-2)], now);
    expect([narrower.rules.length, narrower.validUntil]).toEqual([2, now + 5 * 60_000]);
    expect(narrower.fingerprint).not.toBe(view.fingerprint);
    expect(withRules(view, [])).toBe(view);
  });
});
