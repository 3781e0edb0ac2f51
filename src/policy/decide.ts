import { type CompiledRule, type CompiledRules, compileRules, rulesFor } from './compiled-rules.ts';
import { coverOf, type Pattern } from './pattern.ts';
import type { RuleLayer } from './rule.ts';
import { type Likeness, likeness } from './same-act.ts';
import { readSubject, type SkillFacts, type Subject } from './subject.ts';
import { type Suggestion, suggest } from './suggest.ts';
import type { ReadCall } from './tool-call.ts';
import { quote, Trace, type TraceStep } from './trace.ts';
import { wildcardsMeet } from './wildcard.ts';

export { type CompiledRules, compileRules, type SkillFacts, type Subject, type Suggestion, type TraceStep };

export type DecisionReason =
  | 'model_invocation_disabled'
  | 'user_invocation_disabled'
  | 'deny_rule'
  | 'ask_rule'
  /** A deny or ask rule may or may not apply, because the input cannot be read to the end. */
  | 'input_unclear'
  | 'allow_rule'
  | 'safe_properties'
  | 'unsafe_properties'
  | 'no_rule';

/** An answer with its reasons, as JSON. */
export interface Decision {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly reason: { readonly code: DecisionReason; readonly text: string };
  /** The pattern of the rule that decided, and whose it is. For a compound command: the rule of its first part. */
  readonly matchedRule: string | null;
  readonly layer: RuleLayer | null;
  /** Every phase up to the one that decided. */
  readonly trace: readonly TraceStep[];
  /** Only where the answer is to ask. */
  readonly suggestions: readonly Suggestion[];
  /** The revision of the skill that this was said of. */
  readonly revision: string | null;
}

type Verdict = Pick<Decision, 'decision' | 'reason'> & { readonly rule?: CompiledRule };

/**
 * Whether a skill may be used or a tool called: who may invoke, then deny rules, ask rules, what is unclear, allow rules,
 * safe properties, and else ask. The first hit decides; neither the layer of a rule nor how specific it is matters.
 * Never throws; the same question gets the same answer, byte for byte, in whatever order the rules came.
 */
export function decide(subject: Subject, all: CompiledRules, skill: SkillFacts | null): Decision {
  const rules = rulesFor(all, skill?.revision ?? null);
  const call = readSubject(subject, skill);
  const trace = new Trace();
  const verdict =
    restriction(subject, skill, trace) ??
    restrictive('deny', call, rules, trace) ??
    restrictive('ask', call, rules, trace) ??
    unclear(call, rules, trace) ??
    allowed(call, rules, trace) ??
    otherwise(subject, skill, trace);
  return {
    decision: verdict.decision,
    reason: verdict.reason,
    matchedRule: verdict.rule?.rule.pattern ?? null,
    layer: verdict.rule?.rule.layer ?? null,
    trace: trace.steps,
    suggestions: verdict.decision === 'ask' ? suggest(subject, call, rules.allow) : [],
    revision: skill?.revision ?? null,
  };
}

/** What the skill's author said about who may invoke it. Hiding it from a listing is not enough. */
function restriction(subject: Subject, skill: SkillFacts | null, trace: Trace): Verdict | null {
  if (subject.kind === 'tool' || skill === null) {
    trace.add('restriction', subject.kind === 'tool' ? 'a tool call' : 'an unknown skill', 'does not apply');
    return null;
  }
  const looked = `trigger ${subject.trigger}`;
  if (subject.trigger === 'model' && skill.disableModelInvocation) {
    trace.add('restriction', looked, 'deny: models may not invoke it');
    return verdict('deny', 'model_invocation_disabled', 'The skill may be invoked by people only.');
  }
  if (subject.trigger === 'user' && !skill.userInvocable) {
    trace.add('restriction', looked, 'deny: people may not invoke it');
    return verdict('deny', 'user_invocation_disabled', 'The skill may be invoked by models only.');
  }
  trace.add('restriction', looked, 'none');
  return null;
}

/** A rule that holds for any reading of any part, or for the same act in another spelling, holds for the whole. */
function restrictive(
  effect: 'deny' | 'ask',
  call: ReadCall,
  rules: CompiledRules,
  trace: Trace,
): Verdict | null {
  const hit = rules[effect].find(
    (pattern) =>
      pattern.matchesTool(call.tool) &&
      (pattern.specifier === null ||
        call.readings.some(pattern.specifier.matches) ||
        isAct(pattern, call, 'same')),
  );
  trace.rules(effect, rules[effect].length, hit);
  return hit === undefined ? null : byRule(effect, `${effect}_rule`, hit);
}

function unclear(call: ReadCall, rules: CompiledRules, trace: Trace): Verdict | null {
  const doubtful = [...rules.deny, ...rules.ask].find(
    (pattern) =>
      pattern.matchesTool(call.tool) &&
      pattern.specifier !== null &&
      (mayGoOnAs(call.openings, pattern.specifier.sources) || isAct(pattern, call, 'maybe')),
  );
  if (call.openings.length === 0 && doubtful === undefined) return null;
  const looked =
    call.openings.length === 0
      ? 'options that may be those of a rule'
      : call.parts === null
        ? 'an input that was not understood'
        : 'a command with wildcards';
  const outcome =
    doubtful === undefined
      ? 'no deny or ask rule in doubt'
      : `ask: ${quote(doubtful.rule.pattern)} may apply`;
  trace.add('clarity', looked, outcome, doubtful?.rule.layer);
  if (doubtful === undefined) return null;
  const text = `Nobody can tell from the input whether the rule ${quote(doubtful.rule.pattern)} applies to it.`;
  return { ...verdict('ask', 'input_unclear', text), rule: doubtful };
}

function isAct({ specifier }: Pattern, { acts }: ReadCall, wanted: Likeness): boolean {
  const rule = specifier?.wanted ?? null;
  return rule !== null && acts.some((act) => likeness(rule, act) === wanted);
}

function mayGoOnAs(openings: readonly string[], sources: readonly string[]): boolean {
  return openings.some(
    (opening) => opening === '' || sources.some((source) => wildcardsMeet(source, `${opening}*`)),
  );
}

function allowed(call: ReadCall, rules: CompiledRules, trace: Trace): Verdict | null {
  const cover = coverOf(rules.allow, call);
  if (cover === null && call.parts !== null && call.parts.length > 1) {
    for (const spellings of call.parts) {
      const hit = coverOf(rules.allow, { ...call, parts: [spellings] })?.[0];
      trace.part(spellings[0] ?? '', hit);
    }
  }
  const [first] = cover ?? [];
  trace.rules('allow', rules.allow.length, first, cover?.length);
  return first === undefined ? null : byRule('allow', 'allow_rule', first);
}

function otherwise(subject: Subject, skill: SkillFacts | null, trace: Trace): Verdict {
  if (subject.kind === 'skill' && skill !== null) {
    const unsafe = skill.unsafeProperties;
    if (unsafe.length === 0) {
      trace.add('safe_properties', 'the properties it acts through', 'allow: none is unsafe');
      return verdict('allow', 'safe_properties', 'The skill has no property that needs a permission.');
    }
    const named = quote(unsafe.join(', '));
    trace.add('safe_properties', 'the properties it acts through', `unsafe: ${named}`);
    trace.add('default', 'no rule', 'ask');
    return verdict('ask', 'unsafe_properties', `No rule allows it, and it has ${named}.`);
  }
  trace.add('default', 'no rule', 'ask');
  return verdict('ask', 'no_rule', 'No rule speaks of it.');
}

function byRule(decision: Decision['decision'], code: DecisionReason, hit: CompiledRule): Verdict {
  const { layer, pattern, reason, by } = hit.rule;
  const author = by === undefined ? '' : ` by ${quote(by)}`;
  const because = reason === undefined ? '' : `: ${reason}`;
  const text = `The ${layer} rule ${quote(pattern)}${author} says so${because}.`;
  return { ...verdict(decision, code, text), rule: hit };
}

function verdict(decision: Decision['decision'], code: DecisionReason, text: string): Verdict {
  return { decision, reason: { code, text } };
}
