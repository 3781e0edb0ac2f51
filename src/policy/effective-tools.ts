import { BoundedCache } from '../core/bounded-cache.ts';
import { CACHE_LIMITS, POLICY_LIMITS } from '../core/limits.ts';
import type { CompiledRule, CompiledRules } from './compiled-rules.ts';
import { patternCovers } from './covers.ts';
import { type Pattern, parsePattern, patternsMeet } from './pattern.ts';
import type { RuleLayer } from './rule.ts';
import { likeness, mayBecome, readAct, type WantedAct } from './same-act.ts';

/** What becomes of the tools that a skill declares. Every list holds patterns. */
export interface EffectiveTools {
  readonly declared: readonly string[];
  /** What may be allowed: never more than was declared, than the caller grants, or than the rules leave. */
  readonly effective: readonly string[];
  /** Declared, and not granted or not readable. */
  readonly missing: readonly string[];
  /** Kept back by a rule: it would be denied, or a person has to be asked each time. */
  readonly withheld: readonly {
    readonly pattern: string;
    readonly decision: 'deny' | 'ask';
    readonly rule: string;
    readonly layer: RuleLayer;
  }[];
  /** Deny rules that hold for a part of what is effective. */
  readonly except: readonly string[];
}

/** `grants`: what the caller lends; null where it sets no bound of its own. */
export function effectiveTools(
  declared: readonly string[],
  grants: readonly string[] | null,
  rules: CompiledRules,
): EffectiveTools {
  const given = grants?.flatMap((text) => readable(text)) ?? null;
  const effective = new Set<string>();
  const missing: string[] = [];
  const withheld = new Map<string, EffectiveTools['withheld'][number]>();
  const except = new Set<string>();
  for (const text of new Set(declared)) {
    const narrowed = readable(text).flatMap((pattern) => narrow(pattern, given));
    if (narrowed.length === 0) missing.push(text);
    for (const pattern of narrowed) {
      const partly = rules.deny.filter((rule) => mayMeet(rule, pattern));
      const denied = partly.find((rule) => holdsForAll(rule, pattern));
      const asked = rules.ask.find((rule) => mayMeet(rule, pattern));
      const hit = denied ?? asked;
      if (hit === undefined) {
        effective.add(pattern.text);
        for (const { rule } of partly) except.add(rule.pattern);
      } else {
        const { layer, pattern: rule } = hit.rule;
        const decision = denied === undefined ? 'ask' : 'deny';
        withheld.set(pattern.text, { pattern: pattern.text, decision, rule, layer });
      }
    }
  }
  return {
    declared,
    effective: [...effective],
    missing,
    withheld: [...withheld.values()],
    except: [...except],
  };
}

/** What both mean, as far as one of them can say it: a part that neither can say is left out. */
function narrow(declared: Pattern, given: readonly Pattern[] | null): Pattern[] {
  if (given === null || given.some((grant) => patternCovers(grant, declared))) return [declared];
  return given.filter((grant) => patternCovers(declared, grant));
}

/** Patterns by their text: skills declare the same ones at every use, and reading them is most of the work. */
const known = new BoundedCache<string, readonly Pattern[]>(CACHE_LIMITS.patterns);

function readable(text: string): readonly Pattern[] {
  const before = known.get(text);
  if (before) return before;
  const pattern = parsePattern(text);
  const read = pattern.ok ? [pattern.value] : [];
  if (text.length <= POLICY_LIMITS.ruleCharacters) known.set(text, read);
  return read;
}

/** Whether the rule may hold for some call that the pattern means, in whatever spelling. */
function mayMeet(rule: CompiledRule, pattern: Pattern): boolean {
  if (patternsMeet(rule, pattern)) return true;
  const wanted = rule.specifier?.wanted ?? null;
  const act = actOf(pattern);
  return wanted !== null && act !== null && rule.matchesTool(pattern.tool) && mayBecome(wanted, act);
}

function holdsForAll(rule: CompiledRule, pattern: Pattern): boolean {
  if (patternCovers(rule, pattern)) return true;
  const [wanted, act] = [rule.specifier?.wanted ?? null, pattern.specifier?.wanted ?? null];
  if (wanted === null || act === null || !rule.matchesTool(pattern.tool)) return false;
  return (wanted.open || !act.open) && likeness(wanted, act.act) === 'same';
}

/** Of a command with wildcards, what stands before the first of them. */
function actOf({ specifier }: Pattern): WantedAct | null {
  if (specifier === null || !specifier.text.includes('*')) return specifier?.wanted ?? null;
  const before = specifier.text.slice(0, specifier.text.indexOf('*'));
  return { act: readAct(before.slice(0, before.lastIndexOf(' ') + 1)), open: true };
}
