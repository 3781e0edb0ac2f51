import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, decide, type SkillFacts, type Subject } from '../../src/policy/decide.ts';
import { Effect, PolicyRule, RuleLayer } from '../../src/policy/rule.ts';
import { CASES } from './cases.ts';
import { expected } from './reference-model.ts';

/** A small world, so that rules and subjects meet often. */
const words = fc.constantFrom(
  'git',
  'git diff',
  'git diff x',
  'gitx',
  'rm',
  'rm x',
  'ls',
  'rm -rf',
  'rm -f -r',
  'rm -fr x',
  'rm -f x',
);
const pattern = fc.oneof(
  fc.constantFrom('Bash', 'Skill', '*', 'Read'),
  fc
    .tuple(fc.constantFrom('Bash', 'Skill'), words, fc.constantFrom('', ':*'))
    .map(([tool, text, mark]) => `${tool}(${text}${mark})`),
);
const expires = fc.constantFrom<PolicyRule['expires'][]>(
  undefined,
  undefined,
  { until: 'session' },
  { until: 'revision', revision: 'sha256:1' },
  { until: 'revision', revision: 'sha256:2' },
);
const rule: fc.Arbitrary<PolicyRule> = fc.record({
  effect: fc.constantFrom(...Effect.options),
  pattern,
  layer: fc.constantFrom(...RuleLayer.options),
  reason: fc.constantFrom(undefined, 'a', 'b'),
  by: fc.constantFrom(undefined, 'ci'),
  expires,
});
const rules = fc.array(rule, { maxLength: 5 });
const trigger = fc.constantFrom<('model' | 'user')[]>('model', 'user');
const command = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 3 }), fc.constantFrom('; ', ' $'))
  .map(([parts, separator]) => parts.join(separator));
const subject: fc.Arbitrary<Subject> = fc.oneof(
  fc.record({
    kind: fc.constant('skill' as const),
    name: fc.constantFrom('git', 'rm', 'gitx'),
    args: fc.constantFrom('', 'diff', 'diff x', 'x'),
    trigger,
  }),
  fc.record({ kind: fc.constant('tool' as const), tool: fc.constantFrom('Bash', 'Read'), input: command }),
);

function factsOf(subject: Subject, seed: number): SkillFacts | null {
  if (subject.kind === 'tool' || seed % 8 === 7) return null;
  return {
    name: subject.name,
    layer: 'org',
    revision: 'sha256:1',
    disableModelInvocation: (seed & 1) === 1,
    userInvocable: (seed & 2) === 0,
    unsafeProperties: (seed & 4) === 0 ? ['hooks'] : [],
  };
}

const seed = fc.nat(7);

describe('decide', () => {
  it('answers as the reference model does', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(subject, rules, seed, (subject, rules, seed) => {
        // In the model a file is only its tool; the world has no rule about paths.
        fc.pre(subject.kind === 'skill' || subject.tool === 'Bash' || !subject.input.includes('$'));
        const facts = factsOf(subject, seed);
        const { decision, reason } = decide(subject, compileRules(rules), facts);
        seen.add(reason.code);
        expect(`${decision} ${reason.code}`).toBe(expected(subject, rules, facts));
      }),
      { numRuns: CASES },
    );
    expect(seen.size).toBe(9);
  });

  it('never allows more for one more deny or ask rule, and never less for one more allow rule', () => {
    const rank = { deny: 0, ask: 1, allow: 2 };
    fc.assert(
      fc.property(subject, rules, rule, seed, (subject, rules, extra, seed) => {
        const facts = factsOf(subject, seed);
        const before = rank[decide(subject, compileRules(rules), facts).decision];
        const after = rank[decide(subject, compileRules([...rules, extra]), facts).decision];
        if (extra.effect === 'allow') expect(after).toBeGreaterThanOrEqual(before);
        else expect(after).toBeLessThanOrEqual(before);
      }),
      { numRuns: CASES / 2 },
    );
  });

  it('does not care in which order the rules come', () => {
    const shuffled = rules.chain((rules) =>
      fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
    );
    fc.assert(
      fc.property(subject, shuffled, seed, (subject, [rules, others], seed) => {
        const facts = factsOf(subject, seed);
        expect(decide(subject, compileRules(others), facts)).toEqual(
          decide(subject, compileRules(rules), facts),
        );
      }),
      { numRuns: CASES / 5 },
    );
  });

  it('answers anything, as JSON, with a trace that ends at the answer', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const anySubject: fc.Arbitrary<Subject> = fc.oneof(
      fc.record({
        kind: fc.constant('skill' as const),
        name: text,
        qualifiedName: text,
        args: text,
        trigger,
      }),
      fc.record({
        kind: fc.constant('tool' as const),
        tool: fc.oneof(text, fc.constantFrom('Bash', 'Read', 'WebFetch')),
        input: text,
      }),
    );
    const anyRule = fc.record({
      effect: fc.constantFrom(...Effect.options),
      pattern: fc.oneof(
        text,
        text.map((inner) => `Bash(${inner})`),
        pattern,
      ),
      layer: fc.constantFrom(...RuleLayer.options),
    });
    fc.assert(
      fc.property(anySubject, fc.array(anyRule, { maxLength: 4 }), seed, (subject, rules, seed) => {
        const decision = decide(subject, compileRules(rules), factsOf(subject, seed));
        expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
        expect(decision.trace.at(-1)?.outcome).toMatch(new RegExp(`^${decision.decision}\\b`));
        expect(decision.layer === null).toBe(decision.matchedRule === null);
        for (const { rule } of decision.suggestions) expect(PolicyRule.safeParse(rule).success).toBe(true);
      }),
      { numRuns: CASES / 4 },
    );
  });

  it('takes bounded time for the worst rules and inputs', () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      effect: 'deny' as const,
      pattern: `Bash(${'*a'.repeat(60)} ${index})`,
      layer: 'organisation' as const,
    }));
    const compiled = compileRules(many);
    const start = performance.now();
    decide({ kind: 'tool', tool: 'Bash', input: 'a'.repeat(16_000) }, compiled, null);
    decide({ kind: 'tool', tool: 'Bash', input: `$X ${'a;'.repeat(8_000)}` }, compiled, null);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
