import type { SkillFacts, Subject } from '../../src/policy/decide.ts';
import type { PolicyRule } from '../../src/policy/rule.ts';

/**
 * What `decide` should answer, as plainly as possible, for a small world: skills with one name, and Bash commands that are
 * words joined by `;`, or hold a `$` and are then not understood; options are letters behind the first word. Patterns are
 * `Tool`, `Tool(words)` or `Tool(words:*)`. Rules can be for one revision of the skill.
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
  const isWhole = ({ pattern }: PolicyRule) => pattern === tool || pattern === '*';
  const of = (effect: string) => rules.filter((rule) => rule.effect === effect);
  for (const effect of ['deny', 'ask']) {
    const hit = (rule: PolicyRule) => isWhole(rule) || readings.some((words) => hits(rule, tool, words));
    if (of(effect).some(hit)) return `${effect} ${effect}_rule`;
  }
  const mayHit = rules.some((rule) => rule.effect !== 'allow' && rule.pattern.startsWith(`${tool}(`));
  if (!understood && mayHit) return 'ask input_unclear';
  if (of('allow').some(isWhole)) return 'allow allow_rule';
  const allows = (words: readonly string[]) => of('allow').some((rule) => hits(rule, tool, words));
  if (understood && parts.every(allows)) return 'allow allow_rule';
  if (subject.kind === 'tool' || skill === null) return 'ask no_rule';
  return skill.unsafeProperties.length === 0 ? 'allow safe_properties' : 'ask unsafe_properties';
}

function hits(rule: PolicyRule, tool: string, words: readonly string[]): boolean {
  const [, itsTool, specifier = ''] = /^(\w+)\((.*)\)$/.exec(rule.pattern) ?? [];
  if (itsTool !== tool) return false;
  const wanted = specifier.replace(':*', '').split(' ');
  // A skill's name alone means it with any arguments.
  const open = specifier.endsWith(':*') || (tool === 'Skill' && wanted.length === 1);
  const fits = (all: readonly string[], some: readonly string[]): boolean =>
    some.every((word, index) => all[index] === word) && (open || all.length === some.length);
  if (rule.effect === 'allow' || tool === 'Skill') return fits(words, wanted);
  // What restricts means the same act however its options are bundled; only before a further word may there be more.
  const [plain, letters] = taken(words);
  const [mine, asked] = taken(wanted);
  if (!open && asked.length !== letters.length && mine.length === 1) return false;
  return fits(plain, mine) && asked.every((letter) => letters.includes(letter));
}

function taken(words: readonly string[]): [plain: string[], letters: string[]] {
  const options = words.filter((word) => word.startsWith('-')).join('');
  return [words.filter((word) => !word.startsWith('-')), [...options.replaceAll('-', '')]];
}
