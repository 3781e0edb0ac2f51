import { SKILL_LIMITS } from '../../core/limits.ts';
import { splitPatterns } from './braces.ts';
import { expandBraces, type ExpansionBudget, expandToFirstClosing } from './expand-braces.ts';
import type { FieldReader } from './field-reader.ts';

/**
 * The gitignore patterns of `paths` or `globs`, in the author's order because later ones overrule earlier ones: from a
 * list or a text with commas, with braces expanded, since gitignore has none. Patterns that match everything are no
 * condition and give an empty list.
 */
export function readPaths(reader: FieldReader, key: string): string[] {
  const results: string[] = [];
  let characters = 0;
  for (const pattern of reader.list(key, (text) => [text]).flatMap(splitPatterns)) {
    const budget: ExpansionBudget = {
      patterns: SKILL_LIMITS.patterns - results.length,
      characters: SKILL_LIMITS.patternsCharacters - characters,
    };
    const expand = reader.mode.braces === 'nested' ? expandBraces : expandToFirstClosing;
    let expanded = expand(pattern, budget);
    if (!expanded) {
      reader.remark('patterns-unexpanded', key, `${key}: the braces make too many patterns and are kept`);
      expanded = [pattern];
    }
    for (const result of expanded) {
      const kept = reader.mode.trailingStars === 'stripped' ? result.replace(/\/\*\*$/, '') : result;
      if (kept === '') continue;
      results.push(kept);
      characters += kept.length;
    }
  }
  if (results.length > SKILL_LIMITS.patterns) {
    reader.remark(
      'patterns-unexpanded',
      key,
      `${key}: only the first ${SKILL_LIMITS.patterns} patterns are kept`,
    );
    results.length = SKILL_LIMITS.patterns;
  }
  return results.every((pattern) => pattern === '**') ? [] : results;
}
