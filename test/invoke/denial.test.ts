import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AuditReport } from '../../src/audit/audit-act.ts';
import type { ProblemCode } from '../../src/core/problem.ts';
import { decide, compileRules } from '../../src/policy/decide.ts';
import type { RuleLayer } from '../../src/policy/rule.ts';
import { denialReport } from '../../src/invoke/denial.ts';
import { entry } from '../catalog/entries.ts';

const PRINCIPAL = {
  organisation: 'acme',
  label: 'ci',
  scopes: [],
  layers: null,
  trust: 'trusted',
  actor: 'service',
} as const;

function report(pattern: string, layer: RuleLayer, args: string, code: ProblemCode = 'skill_denied') {
  const row = entry('deploy');
  const facts = {
    name: row.name,
    layer: 'org',
    revision: row.revision,
    disableModelInvocation: false,
    userInvocable: true,
    unsafeProperties: [],
  };
  const subject = {
    kind: 'skill',
    name: row.name,
    qualifiedName: 'org/deploy',
    trigger: 'model',
    args,
  } as const;
  const decision = decide(subject, compileRules([{ effect: 'deny', pattern, layer }]), facts);
  const found = { entry: row, layer: { layer: 'org', space: 'o/acme' as const } };
  const problem = { code, detail: `because of ${args}`, data: { command: args } };
  return denialReport(PRINCIPAL, { found, answer: { decision, approval: null } }, problem, 7);
}

describe('the report of a denial', () => {
  it('names the skill, the rule and the code, and is no other for other arguments', () => {
    const denied = report('Skill(deploy)', 'organisation', 'one');
    expect(denied).toMatchObject({
      at: 7,
      times: 1,
      actor: { organisation: 'acme', label: 'ci' },
      act: {
        act: 'skill_denied',
        subject: 'org/deploy',
        details: {
          code: 'skill_denied',
          reason: 'deny_rule',
          rule: 'Skill(deploy)',
          ruleLayer: 'organisation',
        },
      },
    });
    expect(report('Skill(deploy)', 'organisation', 'two')).toEqual(denied);
    expect(report('Skill(dep*)', 'organisation', 'one')?.key).not.toBe(denied?.key);
  });

  it('is there for denials alone', () => {
    for (const code of ['skill_unknown', 'run_refused', 'approval_unknown', 'internal'] as const)
      expect(report('Skill(deploy)', 'organisation', '', code)).toBeNull();
  });

  it('has nothing of what a request was called with, not even where it brought the rule', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z]{8,20}$/),
        fc.constantFrom<ProblemCode>(
          'skill_denied',
          'shell_command_refused',
          'skill_model_invocation_disabled',
        ),
        fc.constantFrom<RuleLayer>('session', 'call'),
        (text, code, layer) => {
          const denied = report(`Skill(deploy ${text}*)`, layer, `${text} x`, code);
          expect(JSON.stringify(denied)).not.toContain(text);
          expect(AuditReport.parse(denied)).toEqual(denied);
        },
      ),
    );
  });
});
