import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import type { Problem } from '../core/problem.ts';
import { countsFor } from './in-force.ts';
import { type Pattern, parsePattern, readableTool, toolPattern } from './pattern.ts';
import { type Effect, type PolicyRule, RuleLayer } from './rule.ts';

/** A rule, read once. */
export interface CompiledRule extends Pattern {
  readonly rule: PolicyRule;
}

export interface CompiledRules extends Readonly<Record<Effect, readonly CompiledRule[]>> {
  /** Rules that cannot be read, with what is wrong; `at` names each by its place: `rules[3]`. */
  readonly invalid: readonly Problem[];
  /** Whether any of them is for one revision only. */
  readonly bound: boolean;
}

/**
 * Reads rules once for many decisions. An allow rule that cannot be read is left out. A deny or ask rule that cannot be
 * read speaks for all of its tool, or for everything when even the tool is unreadable: a typo never opens a door.
 */
export function compileRules(rules: readonly PolicyRule[]): CompiledRules {
  const compiled: CompiledRule[] = [];
  const invalid: Problem[] = [];
  for (const [index, rule] of rules.entries()) {
    const pattern = parsePattern(rule.pattern);
    if (pattern.ok) compiled.push({ ...pattern.value, rule });
    else {
      invalid.push({ ...pattern.error, at: `rules[${index}]` });
      if (rule.effect !== 'allow') {
        compiled.push({ ...toolPattern(rule.pattern, readableTool(rule.pattern) ?? '*'), rule });
      }
    }
  }
  compiled.sort(inOrder);
  const withEffect = (effect: Effect): CompiledRule[] =>
    compiled.filter(({ rule }) => rule.effect === effect);
  const bound = rules.some(({ expires }) => expires?.until === 'revision');
  return { deny: withEffect('deny'), ask: withEffect('ask'), allow: withEffect('allow'), invalid, bound };
}

/** Those that count for a skill of this revision. */
export function rulesFor(rules: CompiledRules, revision: string | null): CompiledRules {
  if (!rules.bound) return rules;
  const of = (effect: Effect): readonly CompiledRule[] =>
    rules[effect].filter(({ rule }) => countsFor(rule, revision));
  return { ...rules, deny: of('deny'), ask: of('ask'), allow: of('allow') };
}

/** By layer, pattern, reason and the rest, so that the order in which rules were written decides nothing, not even the text. */
function inOrder(left: CompiledRule, right: CompiledRule): number {
  return (
    RuleLayer.options.indexOf(left.rule.layer) - RuleLayer.options.indexOf(right.rule.layer) ||
    byCodeUnit(left.rule.pattern, right.rule.pattern) ||
    byCodeUnit(left.rule.reason ?? '', right.rule.reason ?? '') ||
    byCodeUnit(canonicalJson(left.rule), canonicalJson(right.rule))
  );
}
