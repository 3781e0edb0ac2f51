import { describe, expect, it } from 'vitest';
import type { Example, PatternRule } from '../../src/scan/rule.ts';
import { PATTERN_RULES } from '../../src/scan/rules/all-rules.ts';
import { scanFile } from '../../src/scan/scan-file.ts';
import { factsOf } from './skills.ts';

const FACTS = factsOf('---\nname: example\ndescription: An example of nothing in particular.\n---\n');

function found(rule: PatternRule, example: Example): string[] {
  const { path, text } = typeof example === 'string' ? { path: 'SKILL.md', text: example } : example;
  const bytes = new TextEncoder().encode(text);
  return scanFile({ path, bytes, executable: false }, FACTS, bytes.length)
    .found.filter(({ finding }) => finding.rule === rule.id && finding.severity === rule.severity)
    .map(({ finding }) => finding.evidence);
}

describe.each(PATTERN_RULES.map((rule): [string, PatternRule] => [rule.id, rule]))('%s', (_, rule) => {
  it.each(rule.finds)('finds %j', (example) => {
    expect(found(rule, example)).not.toEqual([]);
  });
  it.each(rule.leaves)('leaves %j', (example) => {
    expect(found(rule, example)).toEqual([]);
  });
});

describe('the rules', () => {
  it('have ids of their own, words in lower case and global patterns', () => {
    expect(new Set(PATTERN_RULES.map(({ id }) => id)).size).toBe(PATTERN_RULES.length);
    for (const { id, words, pattern } of PATTERN_RULES) {
      expect(
        words.flat().filter((word) => /[A-Z]/.test(word)),
        id,
      ).toEqual([]);
      expect(
        words.every((group) => group.length > 0),
        id,
      ).toBe(true);
      expect(pattern.global, id).toBe(true);
    }
  });
});
