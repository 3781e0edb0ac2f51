import type { SkillFacts, Subject } from '../../src/policy/decide.ts';
import type { PolicyRule } from '../../src/policy/rule.ts';

/**
 * What `decide` should answer, written as plainly as possible, for a small world: skills with one name, and Bash commands
 * that are words joined by `;`, or hold a `$` and are then not understood. Patterns are `Tool`, `Tool(words)` or
 * `Tool(words:*)`. Rules can be for one revision of the skill.
 */
export function expected(subject: Subject, all: readonly PolicyRule[], skill: SkillFacts | null): string {
  const rules = all.filter(({ effect, expires }) => {
    if (expires?.until !== 'revision') return true;
    return skill === null ? effect !== 'allow' : expires.revision === skill.revision;
  });
  if (subject.kind === 'skill' && skill !== null) {
    if (subject.trigger === 'model' && skill.disableModelInvocation) return 'deny model_invocation_disabled';
    if (subject.trigger === 'user' && !skill.userInvocable) return 'deny user_invocation_disabled';
  }
  const tool = subject.kind === 'skill' ? 'Skill' : subject.tool;
  const text = subject.kind === 'skill' ? `${subject.name} ${subject.args ?? ''}` : subject.input;
  const understood = !text.includes('$');
  const parts = text.split(/[;$]/).map((part) => part.split(' ').filter((word) => word !== ''));
  // What may run in a part: all of it, and where it was not understood, any of its tails.
  const readings = understood ? parts : parts.flatMap((part) => part.map((_, index) => part.slice(index)));
  const of = (effect: string) => rules.filter((rule) => rule.effect === effect);

  if (of('deny').some((rule) => isWhole(rule, tool) || readings.some((words) => hits(rule, tool, words)))) {
    return 'deny deny_rule';
  }
  if (of('ask').some((rule) => isWhole(rule, tool) || readings.some((words) => hits(rule, tool, words)))) {
    return 'ask ask_rule';
  }
  const mayHit = rules.some((rule) => rule.effect !== 'allow' && rule.pattern.startsWith(`${tool}(`));
  if (!understood && mayHit) return 'ask input_unclear';
  if (of('allow').some((rule) => isWhole(rule, tool))) return 'allow allow_rule';
  if (understood && parts.every((words) => of('allow').some((rule) => hits(rule, tool, words)))) {
    return 'allow allow_rule';
  }
  if (subject.kind === 'tool' || skill === null) return 'ask no_rule';
  return skill.unsafeProperties.length === 0 ? 'allow safe_properties' : 'ask unsafe_properties';
}

function isWhole(rule: PolicyRule, tool: string): boolean {
  return rule.pattern === tool || rule.pattern === '*';
}

function hits(rule: PolicyRule, tool: string, words: readonly string[]): boolean {
  const [, itsTool, specifier = ''] = /^(\w+)\((.*)\)$/.exec(rule.pattern) ?? [];
  if (itsTool !== tool) return false;
  const isPrefix = specifier.endsWith(':*');
  const wanted = specifier.replace(':*', '').split(' ');
  // A skill's name alone means it with any arguments.
  const open = isPrefix || (tool === 'Skill' && wanted.length === 1);
  return wanted.every((word, index) => words[index] === word) && (open || words.length === wanted.length);
}
