import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRules, decide, type SkillFacts, type Subject } from '../../src/policy/decide.ts';
import type { Effect, PolicyRule, RuleLayer } from '../../src/policy/rule.ts';

function rule(effect: Effect, pattern: string, layer: RuleLayer = 'organisation'): PolicyRule {
  return { effect, pattern, layer };
}

const FACTS: SkillFacts = {
  name: 'review',
  layer: 'org',
  revision: 'sha256:1',
  disableModelInvocation: false,
  userInvocable: true,
  unsafeProperties: ['allowedTools'],
};

function skill(
  name = 'review',
  more: { args?: string; trigger?: 'model' | 'user'; qualifiedName?: string } = {},
): Subject {
  return { kind: 'skill', name, trigger: 'model', ...more };
}

function tool(tool: string, input: string): Subject {
  return { kind: 'tool', tool, input };
}

const DENY = rule('deny', 'Skill(review)');
const ASK = rule('ask', 'Skill(review)');
const ALLOW = rule('allow', 'Skill(review)');
const GIT = [
  rule('allow', 'Bash(git diff:*)'),
  rule('allow', 'Bash(wc:*)', 'project'),
  rule('deny', 'Bash(git push:*)'),
];

type Case = [
  what: string,
  subject: Subject,
  rules: PolicyRule[],
  facts: Partial<SkillFacts> | null,
  answer: string,
];

const SKILLS: readonly Case[] = [
  ['no rule, unsafe', skill(), [], {}, 'ask unsafe_properties'],
  ['no rule, safe', skill(), [], { unsafeProperties: [] }, 'allow safe_properties'],
  ['no rule, unknown skill', skill(), [], null, 'ask no_rule'],
  ['deny beats all', skill(), [ALLOW, ASK, DENY], {}, 'deny deny_rule'],
  ['ask beats allow', skill(), [ALLOW, ASK], {}, 'ask ask_rule'],
  ['allow', skill(), [ALLOW], {}, 'allow allow_rule'],
  ['a broad deny beats a narrow allow', skill(), [ALLOW, rule('deny', 'Skill')], {}, 'deny deny_rule'],
  [
    'a narrow deny beats a broad allow',
    skill(),
    [rule('allow', '*', 'deployment'), { ...DENY, layer: 'call' }],
    {},
    'deny deny_rule',
  ],
  ['deny beats safe properties', skill(), [DENY], { unsafeProperties: [] }, 'deny deny_rule'],
  ['ask beats safe properties', skill(), [ASK], { unsafeProperties: [] }, 'ask ask_rule'],
  [
    'a prefix ends at a token',
    skill('reviewer'),
    [rule('allow', 'Skill(review:*)')],
    { name: 'reviewer' },
    'ask unsafe_properties',
  ],
  [
    'a prefix covers arguments',
    skill('review', { args: 'now' }),
    [rule('allow', 'Skill(review:*)')],
    {},
    'allow allow_rule',
  ],
  ['arguments escape no deny', skill('review', { args: 'now' }), [DENY], {}, 'deny deny_rule'],
  ['arguments are no name', skill('', { args: 'review' }), [ALLOW], null, 'ask no_rule'],
  ['a space in a name is no argument', skill('review now'), [ALLOW], null, 'ask no_rule'],
  ['leading slash of the subject', skill('/review'), [ALLOW], null, 'allow allow_rule'],
  ['leading slash of the rule', skill(), [rule('deny', 'Skill(/review)')], {}, 'deny deny_rule'],
  ['the catalog name is denied too', skill('alias'), [DENY], {}, 'deny deny_rule'],
  ['so is the qualified name', skill(), [rule('deny', 'Skill(org/review)')], {}, 'deny deny_rule'],
  [
    'a given qualified name',
    skill('review', { qualifiedName: 'org/dir:review' }),
    [rule('deny', 'Skill(org/dir:*)')],
    {},
    'deny deny_rule',
  ],
  [
    'the model is kept out before rules',
    skill(),
    [ALLOW],
    { disableModelInvocation: true },
    'deny model_invocation_disabled',
  ],
  [
    'a person may still',
    skill('review', { trigger: 'user' }),
    [ALLOW],
    { disableModelInvocation: true },
    'allow allow_rule',
  ],
  [
    'people are kept out before rules',
    skill('review', { trigger: 'user' }),
    [ALLOW],
    { userInvocable: false },
    'deny user_invocation_disabled',
  ],
  ['the model may still', skill(), [ALLOW], { userInvocable: false }, 'allow allow_rule'],
];

const TOOLS: readonly Case[] = [
  ['no rule', tool('Bash', 'ls'), [], null, 'ask no_rule'],
  ['prefix', tool('Bash', 'git diff --stat'), GIT, null, 'allow allow_rule'],
  ['longer word', tool('Bash', 'git difftool'), GIT, null, 'ask no_rule'],
  ['every part allowed', tool('Bash', 'git diff | wc -l'), GIT, null, 'allow allow_rule'],
  ['one part not allowed', tool('Bash', 'git diff && rm -rf /'), GIT, null, 'ask no_rule'],
  ['one part denied', tool('Bash', 'git diff && git push'), GIT, null, 'deny deny_rule'],
  ['denied inside a substitution', tool('Bash', 'git diff $(git push)'), GIT, null, 'deny deny_rule'],
  ['denied by another path', tool('Bash', '/usr/bin/git push'), GIT, null, 'deny deny_rule'],
  ['not understood', tool('Bash', 'git diff $X'), GIT, null, 'ask input_unclear'],
  ['not understood, no restriction', tool('Bash', 'git diff $X'), GIT.slice(0, 2), null, 'ask no_rule'],
  [
    'not understood, trusted whole',
    tool('Bash', 'git diff $X'),
    [rule('allow', 'Bash', 'deployment')],
    null,
    'allow allow_rule',
  ],
  [
    'not understood, trusted whole, but a deny',
    tool('Bash', 'git diff $X'),
    [rule('allow', 'Bash'), ...GIT],
    null,
    'ask input_unclear',
  ],
  [
    'a wildcard that may be the denied word',
    tool('Bash', 'git pus[h]'),
    [rule('allow', 'Bash'), ...GIT],
    null,
    'ask input_unclear',
  ],
  [
    'the same by another path',
    tool('Bash', '/usr/bin/git pus[h]'),
    [rule('allow', 'Bash'), ...GIT],
    null,
    'ask input_unclear',
  ],
  [
    'more wildcards than are looked at one by one',
    tool('Bash', Array.from({ length: 20 }, (_, index) => `ls ${index} *`).join(';')),
    [rule('allow', 'Bash'), ...GIT],
    null,
    'ask input_unclear',
  ],
  ['a wildcard that cannot be', tool('Bash', 'git diff src/*.ts'), GIT, null, 'allow allow_rule'],
  ['a wildcard that may be an option', tool('Bash', 'git diff *.ts'), GIT, null, 'ask no_rule'],
  [
    'an ask for one part',
    tool('Bash', 'git diff; wc x'),
    [...GIT, rule('ask', 'Bash(wc x)')],
    null,
    'ask ask_rule',
  ],
  ['a path', tool('Read', 'src/a'), [rule('allow', 'Read(src/**)')], null, 'allow allow_rule'],
  ['a path upwards', tool('Read', 'src/../a'), [rule('allow', 'Read(src/**)')], null, 'ask no_rule'],
  [
    'a denied path by a detour',
    tool('Read', '/tmp/../etc/passwd'),
    [rule('allow', 'Read'), rule('deny', 'Read(/etc/**)')],
    null,
    'deny deny_rule',
  ],
  [
    'a path upwards beside a deny',
    tool('Read', '../../etc/passwd'),
    [rule('allow', 'Read'), rule('deny', 'Read(/etc/**)')],
    null,
    'ask input_unclear',
  ],
  [
    'a URL that is none beside a deny',
    tool('WebFetch', 'evil.net'),
    [rule('allow', 'WebFetch'), rule('deny', 'WebFetch(domain:evil.net)')],
    null,
    'ask input_unclear',
  ],
  ['a server', tool('mcp__git__log', '{}'), [rule('allow', 'mcp__git')], null, 'allow allow_rule'],
];

describe('decide', () => {
  it.each([...SKILLS, ...TOOLS])('%s', (_, subject, rules, facts, answer) => {
    const decision = decide(subject, compileRules(rules), facts === null ? null : { ...FACTS, ...facts });
    expect(`${decision.decision} ${decision.reason.code}`).toBe(answer);
  });

  it('explains itself', () => {
    const rules = compileRules([
      rule('ask', 'Bash(rm:*)'),
      { ...rule('allow', 'Bash', 'deployment'), reason: 'sandbox tool' },
    ]);
    expect(decide(tool('Bash', 'ls'), rules, null)).toEqual({
      decision: 'allow',
      reason: { code: 'allow_rule', text: 'The deployment rule Bash says so: sandbox tool.' },
      matchedRule: 'Bash',
      layer: 'deployment',
      trace: [
        { phase: 'restriction', looked: 'a tool call', outcome: 'does not apply', layer: null },
        { phase: 'deny', looked: '0 rules', outcome: 'no match', layer: null },
        { phase: 'ask', looked: '1 rule', outcome: 'no match', layer: null },
        { phase: 'allow', looked: '1 rule', outcome: 'allow: Bash', layer: 'deployment' },
      ],
      suggestions: [],
      revision: null,
    });
  });

  it('names the revision, and shortens what it quotes', () => {
    const decision = decide(tool('Bash', `${'😀'.repeat(500)}; ls`), compileRules(GIT), FACTS);
    expect(decision.revision).toBe('sha256:1');
    const parts = decide(tool('Bash', `ls ${'é😀'.repeat(500)}; ls`), compileRules(GIT), null).trace;
    expect(parts.map(({ phase }) => phase)).toEqual([
      'restriction',
      'deny',
      'ask',
      'allow',
      'allow',
      'allow',
      'default',
    ]);
    const many = Array.from({ length: 50 }, (_, index) => `ls ${index}`).join(';');
    expect(decide(tool('Bash', many), compileRules(GIT), null).trace.length).toBeLessThan(20);
    expect(parts.every(({ looked }) => looked.length <= 81 && looked.isWellFormed())).toBe(true);
  });
});

describe('rules that say the same', () => {
  it('are told apart by layer, then by reason, whatever their order', () => {
    const because = (reason: string): PolicyRule => ({ ...DENY, reason });
    const all = [because('b'), because('a'), because('c'), rule('deny', DENY.pattern, 'call')];
    for (const rules of [all, all.toReversed()]) {
      const decision = decide(skill(), compileRules(rules), FACTS);
      expect(decision.layer).toBe('organisation');
      expect(decision.reason.text).toMatch(/: a\.$/);
    }
  });
});

describe('suggestions', () => {
  it.each<[Subject, string[]]>([
    [skill('review', { args: 'now' }), ['exact Skill(review)', 'prefix Skill(review:*)']],
    [skill('/a b'), ['exact Skill(a\\ b)', 'prefix Skill(a\\ b:*)']],
    [tool('Bash', 'git diff --stat'), ['exact Bash(git diff --stat)', 'prefix Bash(git diff:*)']],
    [tool('Bash', 'ls -la'), ['exact Bash(ls -la)', 'prefix Bash(ls:*)']],
    [tool('Bash', 'ls *.md'), ['prefix Bash(ls:*)']],
    [tool('Bash', 'ls; pwd'), ['exact Bash(ls)', 'exact Bash(pwd)']],
    [tool('Bash', 'ls $X'), []],
    [tool('Read', './src/a.ts'), ['exact Read(src/a.ts)']],
    [tool('WebFetch', 'https://a.org/x'), ['exact WebFetch(domain:a.org)']],
    [tool('mcp__git__log', '{}'), ['exact mcp__git__log']],
    [tool('WebSearch', 'x *'), []],
    [tool('WebSearch', 'x'.repeat(300)), []],
  ])('for %j', (subject, suggested) => {
    const { suggestions } = decide(subject, compileRules([]), null);
    expect(suggestions.map(({ kind, rule }) => `${kind} ${rule.pattern}`)).toEqual(suggested);
    expect(suggestions.every(({ rule }) => rule.effect === 'allow' && rule.layer === 'organisation')).toBe(
      true,
    );
  });

  it('leave out what is allowed already', () => {
    const { suggestions } = decide(tool('Bash', 'git diff; ls'), compileRules(GIT), null);
    expect(suggestions.map(({ rule }) => rule.pattern)).toEqual(['Bash(ls)']);
  });

  it('are enough to be allowed next time', () => {
    const names = fc.constantFrom('Bash', 'Read', 'WebFetch', 'WebSearch', 'mcp__a__b', 'Skill');
    const input = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.constantFrom('git diff', 'ls; pwd', "echo 'a b' \\*", 'https://a.org', 'src/a', 'a:*', '/x y'),
    );
    let offered = 0;
    fc.assert(
      fc.property(names, input, fc.boolean(), (name, input, asSkill) => {
        const subject = asSkill ? skill(input, { args: 'x' }) : tool(name, input);
        const { suggestions } = decide(subject, compileRules([]), null);
        const exact = suggestions.filter(({ kind }) => kind === 'exact').map(({ rule }) => rule);
        const prefix = suggestions.filter(({ kind }) => kind === 'prefix').map(({ rule }) => rule);
        for (const rules of [exact, prefix].filter((rules) => rules.length > 0)) {
          offered += 1;
          expect(decide(subject, compileRules(rules), null).decision).toBe('allow');
        }
      }),
      { numRuns: 3_000 },
    );
    expect(offered).toBeGreaterThan(1_000);
  });
});

describe('a rule that cannot be read', () => {
  it.each<[PolicyRule, Subject, string]>([
    [rule('allow', 'Bash(git'), tool('Bash', 'git'), 'ask'],
    [rule('deny', 'Bash(git'), tool('Bash', 'ls'), 'deny'],
    [rule('deny', 'Bash(git'), tool('Read', 'ls'), 'allow'],
    [rule('deny', 'bash(git:*)'), tool('Bash', 'ls'), 'deny'],
    [rule('ask', 'Bash (git)'), tool('Bash', 'ls'), 'ask'],
    [rule('ask', 'Bash()'), tool('Read', 'ls'), 'allow'],
    [rule('deny', '(git)'), tool('Read', 'x'), 'deny'],
    [rule('deny', 'Ba sh(git)'), skill(), 'deny'],
  ])('%j', (broken, subject, answer) => {
    const others = [rule('allow', broken.effect === 'allow' ? 'Read' : '*')];
    const rules = compileRules([...others, broken]);
    expect(decide(subject, rules, null).decision).toBe(answer);
    expect(rules.invalid).toMatchObject([{ code: 'rule_invalid', at: 'rules[1]' }]);
  });
});
