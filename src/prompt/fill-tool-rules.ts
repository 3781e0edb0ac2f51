import { BASE_DIRECTORY, type ExpansionInput } from './expand.ts';
import { EXPANSION_RULES } from './expansion-mode.ts';

const VARIABLE = /\$\{([A-Za-z_][\w.-]{0,200})\}/g;
/** What a rule reads as itself: no wildcard, no quote, no space, nothing that ends the rule or begins another. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * The tool rules of a skill with the variables in those about Bash filled in: `Bash(${CLAUDE_SKILL_DIR}/run.sh:*)`. Where
 * a value is more than a plain path the rule stays as it was, and then allows nothing: no value can widen a rule.
 */
export function fillToolRules(
  rules: readonly string[],
  { variables, baseDirectory, mode }: Pick<ExpansionInput, 'variables' | 'baseDirectory' | 'mode'>,
): string[] {
  return rules.map((rule) => {
    if (!rule.startsWith('Bash(')) return rule;
    const filled = rule.replaceAll(VARIABLE, (written, name: string) =>
      plain(Object.hasOwn(variables, name) ? variables[name] : undefined, written),
    );
    if (!EXPANSION_RULES[mode].foreignNames) return filled;
    return filled.replaceAll(BASE_DIRECTORY, () => plain(baseDirectory, BASE_DIRECTORY));
  });
}

function plain(value: string | undefined, otherwise: string): string {
  return value !== undefined && PLAIN.test(value) ? value : otherwise;
}
