import { describe, expect, it } from 'vitest';
import { Compatibility, compatibilityOf } from '../../../src/format/compatibility/compatibility.ts';
import { parseSkill } from '../../../src/format/parse-skill.ts';

const FILES = [{ path: 'SKILL.md', size: 100 }];

function judge(file: string, files = FILES): Compatibility {
  const { skill } = parseSkill(new TextEncoder().encode(file), 'folder', 'SKILL.md');
  if (!skill) throw new Error('the skill does not load');
  return compatibilityOf(skill, skill.frontmatterText, files);
}

function withLines(lines: string): string {
  return `---\n${lines}\n---\nbody\n`;
}

/** Who refuses it, in the order agentskills, anthropic, mcp, skillsCli. */
function refusers(compatibility: Compatibility): string {
  const { agentskills, anthropic, mcp, skillsCli } = compatibility;
  const verdicts = { A: agentskills, U: anthropic, M: mcp, S: skillsCli };
  return Object.entries(verdicts)
    .flatMap(([letter, verdict]) => (verdict.accepts ? [] : [letter]))
    .join('');
}

/** `A` agentskills.io, `U` Anthropic's upload, `M` the MCP SDK, `S` the skills CLI. */
const CASES: readonly (readonly [what: string, lines: string, refusers: string])[] = [
  ['the plainest skill', 'name: x\ndescription: y', ''],
  [
    'all six fields',
    'name: x\ndescription: y\nlicense: MIT\ncompatibility: git\nmetadata:\n  a: b\nallowed-tools: Read',
    '',
  ],
  ['a seventh field', 'name: x\ndescription: y\nversion: 1', 'AU'],
  ['flow style', 'name: x\ndescription: y\nmetadata: {a: b}', 'A'],
  ['flow style over lines', 'name: x\ndescription: y\nmetadata: {\n  a: b}', 'AM'],
  ['a pair in a flow list', 'name: x\ndescription: y\nallowed-tools: [a: b]', 'AM'],
  ['an anchor', 'name: &a x\ndescription: y', 'AM'],
  ['a tag', 'name: !!str x\ndescription: y', 'AM'],
  ['a duplicate key', 'name: x\ndescription: y\ndescription: z', 'AMS'],
  ['quotes over lines', 'name: x\ndescription: "y\n  z"', 'M'],
  ['plain text over lines', 'name: x\ndescription: y\n  z', ''],
  ['an indentation indicator', 'name: x\ndescription: |2\n  y', 'M'],
  ['block text', 'name: x\ndescription: >-\n  y\n  z', ''],
  ['a list that begins in a line', 'name: x\ndescription: y\nfoo:\n  - - b', 'AU'],
  ['a key without a colon', 'name: x\ndescription: y\nfoo: {a}', 'AUM'],
  ['the end of the document', 'name: x\ndescription: y\n...', 'M'],
  ['a complex key', '? name\n: x\ndescription: y', 'M'],
  ['a number as key', 'name: x\ndescription: y\nmetadata:\n  1: a', 'M'],
  ['a key of the prototype', 'name: x\ndescription: y\nmetadata:\n  __proto__: a', 'M'],
  ['metadata with a number', 'name: x\ndescription: y\nmetadata:\n  a: 1', 'M'],
  ['metadata with a map', 'name: x\ndescription: y\nmetadata:\n  a:\n    b: c', 'M'],
  ['metadata that is null', 'name: x\ndescription: y\nmetadata:', 'M'],
  ['no YAML', 'name: x\ndescription: y: z', 'AUMS'],
  ['a star', 'name: x\ndescription: *y', 'AUMS'],
  ['a list', '- name', 'AUMS'],
  ['a capital in the name', 'name: Xy\ndescription: y', 'AUMS'],
  ['a space in the name', 'name: x y\ndescription: y', 'AUMS'],
  ['two hyphens in the name', 'name: x--y\ndescription: y', 'AUMS'],
  ['a letter beyond ASCII in the name', 'name: über\ndescription: y', 'UMS'],
  ['a name of 65 characters', `name: ${'a'.repeat(65)}\ndescription: y`, 'AUMS'],
  ['a number as name', 'name: 12\ndescription: y', 'UMS'],
  ['no name', 'description: y', 'AUMS'],
  ['a reserved word', 'name: my-claude-skill\ndescription: y', 'U'],
  ['another reserved word', 'name: anthropic-x\ndescription: y', 'U'],
  ['no description', 'name: x', 'AUMS'],
  ['an empty description', 'name: x\ndescription: ""', 'AUMS'],
  ['a number as description', 'name: x\ndescription: 12', 'UMS'],
  ['a long description', `name: x\ndescription: ${'a'.repeat(1_025)}`, 'AUMS'],
  ['a description that is long in UTF-16', `name: x\ndescription: ${'🦞'.repeat(600)}`, 'S'],
  ['an XML tag in the description', 'name: x\ndescription: use <b>this</b>', 'U'],
  ['brackets in the description', 'name: x\ndescription: a < b > c', ''],
  ['a long compatibility', `name: x\ndescription: y\ncompatibility: ${'a'.repeat(501)}`, 'AUM'],
  ['an empty compatibility', 'name: x\ndescription: y\ncompatibility: ""', 'UM'],
  ['a list of tools', 'name: x\ndescription: y\nallowed-tools:\n  - Read', ''],
  ['dashes inside', 'name: x\ndescription: y --- z', 'A'],
];

describe('compatibilityOf', () => {
  it.each(CASES)('%s', (_what, lines, letters) => {
    const compatibility = judge(withLines(lines));
    expect(refusers(compatibility)).toBe(letters);
    expect(Compatibility.safeParse(compatibility).success).toBe(true);
    for (const { accepts, reasons } of Object.values(compatibility)) {
      expect(accepts).toBe(reasons.length === 0);
    }
  });

  it.each([
    ['no frontmatter', 'text', 'AUMS'],
    ['a byte order mark', `\uFEFF${withLines('name: x\ndescription: y')}`, 'A'],
    ['spaces behind the first fence', '--- \nname: x\ndescription: y\n---\n', 'MS'],
    ['spaces behind the second fence', '---\nname: x\ndescription: y\n---  \n', ''],
    ['carriage returns', '---\r\nname: x\r\ndescription: y\r\n---\r\n', ''],
    ['four dashes inside', '---\nname: x\ndescription: |\n  y\n----: z\n---\n', 'AUS'],
  ])('%s', (_what, file, letters) => {
    expect(refusers(judge(file))).toBe(letters);
  });

  it.each([
    ['512 files', 512, 1, ''],
    ['513 files', 513, 1, 'M'],
    ['16 MiB', 1, 16 * 1024 * 1024, ''],
    ['more than 16 MiB', 1, 16 * 1024 * 1024 + 1, 'M'],
    ['30 MB', 1, 30_000_000, 'UM'],
  ])('%s', (_what, count, size, letters) => {
    const files = Array.from({ length: count }, (_, index) => ({ path: `${index}`, size }));
    expect(refusers(judge(withLines('name: x\ndescription: y'), files))).toBe(letters);
  });

  it('says why, with the line', () => {
    const { agentskills, mcp } = judge(withLines('name: x\ndescription: y\nmetadata: {a: 1}\nfoo: bar'));
    expect(agentskills.reasons).toEqual([
      'strictyaml has no flow style (line 4)',
      'it has fields that are not allowed: foo',
    ]);
    expect(mcp.reasons).toEqual(['metadata does not map texts to texts']);
  });
});
