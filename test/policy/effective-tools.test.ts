import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternCovers } from '../../src/policy/covers.ts';
import { compileRules, decide } from '../../src/policy/decide.ts';
import { effectiveTools } from '../../src/policy/effective-tools.ts';
import { mayUse } from '../../src/policy/grants.ts';
import { matchesPattern, type Pattern, parsePattern } from '../../src/policy/pattern.ts';
import type { PolicyRule } from '../../src/policy/rule.ts';
import { CASES } from './cases.ts';

function pattern(text: string): Pattern {
  const parsed = parsePattern(text);
  if (!parsed.ok) throw new Error(parsed.error.detail);
  return parsed.value;
}

const PATTERNS = [
  ['*', 'Bash', 'Read', 'mcp__a', 'mcp__a__b', 'mcp__*', 'mcp__a__b*', 'Web*', 'WebFetch', 'Skill'],
  ['Bash(git:*)', 'Bash(git diff)', 'Bash(git diff:*)', 'Bash(git * x)', 'Bash(g* x)', 'Bash(*f x)'],
  ['Bash(rm:*)', 'Bash(rm -rf:*)', 'Bash(rm -fr x)', 'Bash(rm -r *:*)', 'Bash(git -C . push)'],
  [
    'Bash(git push*)',
    'Bash(git pus*)',
    'Bash(git -C*)',
    'Bash(git push:*)',
    'Bash(git -C .:*)',
    'Bash(git -p:*)',
    'Bash(git push --force)',
  ],
  ['Read(src/**)', 'Read(src/*)', 'Read(src/a)', 'Read(**)', 'Read(src/*/a)', 'Read(src/**/a)', 'Read(*)'],
  ['WebFetch(domain:*.a.org)', 'WebFetch(domain:b.a.org)', 'WebFetch(domain:a.org)'],
  ['Skill(a)', 'Skill(a:*)', 'Skill(a*)', 'Skill(a now)', 'Skill(a now:*)'],
].flat();
const anyPattern = fc.constantFrom(...PATTERNS);
const INPUTS: Readonly<Record<string, readonly string[]>> = {
  Bash: [
    'git',
    'git diff',
    'git diff x',
    'git "a x"',
    'git push',
    'git push --force',
    'git -C . push',
    'git -C . push x',
    'git -p push',
    'rm x',
    'rm -rf x',
    'rm -fr x',
    'rm -r -f x',
    'rm -r x x',
    'rm -r -f "a b"',
    'git diff; rm -fr x',
    '$x',
  ],
  Read: ['src', 'src/a', 'src/b/a', 'src/b/c/a', 'a'],
  WebFetch: ['https://a.org', 'https://b.a.org', 'https://c.b.a.org'],
  Skill: ['a', 'a now', 'a now b', 'ab', 'a:b', 'ab now'],
  mcp__a: [''],
  mcp__a__b: [''],
  mcp__a__bc: [''],
  mcp__b__b: [''],
};
const CALLS = Object.entries(INPUTS).flatMap(([tool, inputs]) => inputs.map((input) => ({ tool, input })));
const call = fc.constantFrom(...CALLS);

describe('a pattern that covers another', () => {
  it.each([
    ['Bash', 'Bash(git:*)', true],
    ['Bash(git:*)', 'Bash', false],
    ['Bash(git:*)', 'Bash(git diff:*)', true],
    ['Bash(git:*)', 'Bash(git * x)', true],
    ['Bash(git diff)', 'Bash(git diff:*)', false],
    ['Read(src/**)', 'Read(src/*/a)', true],
    ['Read(src/*)', 'Read(src/**)', false],
    ['mcp__a', 'mcp__a__b*', true],
    ['mcp__a__b', 'mcp__a', false],
    ['WebFetch(domain:*.a.org)', 'WebFetch(domain:b.a.org)', true],
    ['Skill(a:*)', 'Skill(a)', true],
    ['Skill(a now)', 'Skill(a)', false],
  ])('%s, %s: %s', (outer, inner, covers) => {
    expect(patternCovers(pattern(outer), pattern(inner))).toBe(covers);
  });

  it('means every call that the other means', () => {
    const all = PATTERNS.map(pattern);
    const meant = new Map(all.map((one) => [one, CALLS.filter((call) => matchesPattern(one, call))]));
    let covered = 0;
    for (const outer of all) {
      for (const inner of all.filter((one) => patternCovers(outer, one))) {
        const narrower = meant.get(inner) ?? [];
        covered += narrower.length;
        const left = narrower.filter((call) => meant.get(outer)?.includes(call) !== true);
        expect([outer.text, inner.text, left]).toEqual([outer.text, inner.text, []]);
      }
    }
    expect(covered).toBeGreaterThan(400);
  });
});

describe('effective tools', () => {
  const rules = compileRules([
    { effect: 'deny', pattern: 'Bash(git push:*)', layer: 'organisation' },
    { effect: 'ask', pattern: 'WebFetch', layer: 'project' },
  ]);
  it.each<[string, string[], string[] | null, object]>([
    ['no bound', ['Read', 'Bash(git diff:*)'], null, { effective: ['Read', 'Bash(git diff:*)'] }],
    ['a narrower grant', ['Bash'], ['Bash(git diff:*)'], { effective: ['Bash(git diff:*)'] }],
    ['a wider grant', ['Bash(git diff:*)'], ['Bash'], { effective: ['Bash(git diff:*)'] }],
    ['no grant', ['Bash', 'Read'], ['Read'], { effective: ['Read'], missing: ['Bash'] }],
    ['no grant at all', ['Bash'], [], { effective: [], missing: ['Bash'] }],
    [
      'what neither can say',
      ['Bash(git * x)'],
      ['Bash(* -v x)'],
      { effective: [], missing: ['Bash(git * x)'] },
    ],
    ['unreadable', ['Bash(a; b)'], null, { effective: [], missing: ['Bash(a; b)'] }],
    ['a part denied', ['Bash'], null, { effective: ['Bash'], except: ['Bash(git push:*)'] }],
    [
      'all denied, in another spelling',
      ['Bash(git -C . push)'],
      null,
      {
        effective: [],
        withheld: [
          {
            pattern: 'Bash(git -C . push)',
            decision: 'deny',
            rule: 'Bash(git push:*)',
            layer: 'organisation',
          },
        ],
      },
    ],
    [
      'a question each time',
      ['WebFetch(domain:a.org)'],
      ['*'],
      {
        effective: [],
        withheld: [
          { pattern: 'WebFetch(domain:a.org)', decision: 'ask', rule: 'WebFetch', layer: 'project' },
        ],
      },
    ],
  ])('%s', (_, declared, grants, expected) => {
    expect(effectiveTools(declared, grants, rules)).toEqual({
      declared,
      effective: [],
      missing: [],
      withheld: [],
      except: [],
      ...expected,
    });
  });

  it('are never wider than what was declared, than what the caller grants, or than the rules', () => {
    const patterns = fc.uniqueArray(anyPattern, { maxLength: 3 });
    const rule: fc.Arbitrary<PolicyRule> = fc.record({
      effect: fc.constantFrom<PolicyRule['effect'][]>('deny', 'ask'),
      pattern: anyPattern,
      layer: fc.constant('organisation'),
    });
    let allowed = 0;
    fc.assert(
      fc.property(
        patterns,
        fc.option(patterns),
        fc.array(rule, { maxLength: 2 }),
        call,
        (declared, grants, rules, { tool, input }) => {
          const tools = effectiveTools(declared, grants, compileRules(rules));
          // As a host would: what is effective is allowed, but for what is excepted.
          const asTold = compileRules([
            ...tools.effective.map((pattern): PolicyRule => ({ effect: 'allow', pattern, layer: 'call' })),
            ...tools.except.map((pattern): PolicyRule => ({ effect: 'deny', pattern, layer: 'call' })),
          ]);
          if (decide({ kind: 'tool', tool, input }, asTold, null).decision !== 'allow') return;
          allowed += 1;
          const { code } = decide({ kind: 'tool', tool, input }, compileRules(rules), null).reason;
          expect([declared, grants, rules, input, code]).toEqual([declared, grants, rules, input, 'no_rule']);
          expect(mayUse(tool, input, declared, grants ?? ['*']).allowed).toBe(true);
        },
      ),
      { numRuns: CASES * 2 },
    );
    expect(allowed).toBeGreaterThan(500);
  });
});
