import { describe, expect, it } from 'vitest';
import { FORMAT_MODES, type FormatModeName } from '../../src/format/modes.ts';
import { parseSkill } from '../../src/format/parse-skill.ts';

interface Row {
  readonly what: string;
  /** The frontmatter's lines, or with `file` the whole text. */
  readonly text: string;
  readonly file?: true;
  /** Of the typed fields, the frontmatter as JSON, the name and the body: those named here. */
  readonly fields?: Record<string, unknown>;
  readonly values?: Record<string, unknown>;
  readonly body?: string;
  /** Codes beside those about a missing name or description. */
  readonly codes?: readonly string[];
  /** Where the baseline differs from today. */
  readonly baseline?: Record<string, unknown>;
}

/** systems.md 1b, row by row. Where the source loses what the author wrote, the row says what is read instead. */
const ROWS: readonly Row[] = [
  {
    what: 'colon in a text, braces beside it',
    text: 'description: use when: foo\npaths: src/**/*.{ts,tsx}',
    values: { description: 'use when: foo', paths: 'src/**/*.{ts,tsx}' },
    codes: ['yaml-repaired'],
  },
  {
    what: 'quotes at both ends that are not one pair',
    text: 'description: "a" and "b": c',
    values: { description: '"a" and "b": c' },
    codes: ['yaml-repaired'],
  },
  { what: 'a comment in sound YAML is lost', text: 'description: foo # bar', values: { description: 'foo' } },
  {
    what: 'a comment in repaired YAML is kept',
    text: 'description: foo: bar # baz',
    values: { description: 'foo: bar # baz' },
    codes: ['yaml-repaired'],
  },
  { what: 'a star', text: 'paths: *.ts', fields: { paths: ['*.ts'] }, codes: ['yaml-repaired'] },
  {
    what: 'a brace at the beginning',
    text: 'paths: {a,b}/x',
    values: { paths: '{a,b}/x' },
    fields: { paths: ['a/x', 'b/x'] },
    codes: ['yaml-repaired'],
  },
  { what: 'a list of paths', text: 'paths: [a, b]', fields: { paths: ['a', 'b'] } },
  { what: 'an at sign', text: 'name: @x', values: { name: '@x' }, codes: ['yaml-repaired', 'name-invalid'] },
  {
    what: 'tools with a colon and a space',
    text: 'allowed-tools: Bash(git diff: *), Read',
    fields: { allowedTools: ['Bash(git diff: *)', 'Read'] },
    codes: ['yaml-repaired'],
  },
  {
    what: 'tools with a colon',
    text: 'allowed-tools: Bash(git:*), Read',
    fields: { allowedTools: ['Bash(git:*)', 'Read'] },
  },
  {
    what: 'an indented rule is no end',
    text: '---\ndescription: |\n  a\n  ---\n  b\n---\nbody',
    file: true,
    fields: { description: 'a\n---\nb' },
    body: 'body',
  },
  {
    what: 'carriage returns',
    text: '---\r\ndescription: y\r\n---\r\nbody\r\n',
    file: true,
    fields: { description: 'y' },
    body: 'body\n',
    codes: ['carriage-returns'],
  },
  {
    what: 'never closed',
    text: '---\ndescription: y\nbody',
    file: true,
    values: {},
    body: '---\ndescription: y\nbody',
    codes: ['frontmatter-unclosed'],
  },
  { what: 'empty', text: '---\n---\nbody', file: true, values: {}, body: 'body' },
  { what: 'a list', text: '- a\n- b', values: {}, codes: ['frontmatter-not-a-map'] },
  {
    what: 'a duplicate key costs that key only (there: all metadata)',
    text: 'name: x\nname: y\nlicense: MIT',
    values: { name: 'y', license: 'MIT' },
    codes: ['key-duplicate'],
  },
  { what: 'a version keeps its zero (there: 1.1)', text: 'version: 1.10', fields: { version: '1.10' } },
  { what: 'a date stays text', text: 'version: 2024-01-02', fields: { version: '2024-01-02' } },
  {
    what: 'a byte order mark (there: no frontmatter until 2.1.239)',
    text: '\uFEFF---\ndescription: y\n---\nbody',
    file: true,
    fields: { description: 'y' },
    codes: ['byte-order-mark'],
  },
  {
    what: 'two rules are no frontmatter (there: the text is torn)',
    text: '# T\n\n---\nfoo: bar\n---\nrest of the doc',
    file: true,
    values: {},
    body: '# T\n\n---\nfoo: bar\n---\nrest of the doc',
    codes: ['frontmatter-missing'],
  },
  { what: 'a description with space around it', text: 'description: "  a "', fields: { description: 'a' } },
  { what: 'a number as description', text: 'description: 12', fields: { description: '12' } },
  { what: 'a switch as description', text: 'description: true', fields: { description: 'true' } },
  {
    what: 'a list as description',
    text: '---\ndescription: [a]\n---\n# Heading\n\nText.',
    file: true,
    fields: { description: 'Heading' },
    codes: ['field-invalid'],
  },
  {
    what: 'no description: paragraph, or line',
    text: '---\nname: x\n---\n\n## First line\ngoes on\n\nSecond.',
    file: true,
    fields: { description: 'First line goes on' },
    baseline: { description: 'First line' },
  },
  {
    what: 'no description and a long line',
    text: `---\nname: x\n---\n${'a'.repeat(101)}`,
    file: true,
    fields: { description: 'a'.repeat(101) },
    baseline: { description: `${'a'.repeat(97)}...` },
  },
  {
    what: 'no description and no body',
    text: '---\nname: x\n---\n',
    file: true,
    fields: { description: 'x' },
  },
  { what: 'trigger', text: 'when_to_use: now', fields: { whenToUse: 'now' } },
  { what: 'hint', text: 'argument-hint: "[a]"', fields: { argumentHint: '[a]' } },
  {
    what: 'a hint that YAML takes for a list',
    text: 'argument-hint: [file]',
    fields: { argumentHint: '[file]' },
  },
  {
    what: 'a hint that YAML takes for nothing',
    text: 'argument-hint: [date] [range]',
    fields: { argumentHint: '[date] [range]' },
    codes: ['yaml-repaired'],
  },
  { what: 'argument names', text: 'arguments: foo 1 bar', fields: { arguments: ['foo', 'bar'] } },
  {
    what: 'argument names in a list',
    text: 'arguments: ["a b", c, ""]',
    fields: { arguments: ['a b', 'c'] },
  },
  ...['yes', 'ON', '1', '"True"'].map((word): Row => {
    const baseline = { disableModelInvocation: false };
    return {
      what: `switch ${word}`,
      text: `disable-model-invocation: ${word}`,
      fields: { disableModelInvocation: true },
      baseline,
    };
  }),
  ...['true', '"true"'].map((word): Row => {
    return { what: `switch ${word}`, text: `background: ${word}`, fields: { background: true } };
  }),
  ...['no', 'Off', '0', 'false'].map((word): Row => {
    return { what: `switch ${word}`, text: `user-invocable: ${word}`, fields: { userInvocable: false } };
  }),
  {
    what: 'user-invocable: yes was false',
    text: 'user-invocable: yes',
    fields: { userInvocable: true },
    baseline: { userInvocable: false },
  },
  { what: 'switches by default', text: 'license: MIT', fields: { userInvocable: true, background: true } },
  { what: 'model inherit', text: 'model: inherit', fields: { model: null } },
  ...['fable', 'sonnet', 'opus', 'haiku', 'best', 'opusplan', 'opus[1m]', 'claude-opus-4-1'].map(
    (model): Row => {
      return { what: `model ${model}`, text: `model: ${model}`, fields: { model } };
    },
  ),
  ...['low', 'medium', 'high', 'xhigh', 'max'].map((effort): Row => {
    return { what: `effort ${effort}`, text: `effort: ${effort}`, fields: { effort } };
  }),
  { what: 'effort as a number', text: 'effort: 3', fields: { effort: 3 } },
  { what: 'effort unknown', text: 'effort: huge', fields: { effort: null }, codes: ['field-invalid'] },
  { what: 'effort in part', text: 'effort: 1.5', fields: { effort: null }, codes: ['field-invalid'] },
  {
    what: 'tools by space, by comma, in a list',
    text: 'allowed-tools: Read Bash(a, b)\ndisallowed-tools: [Write, "Bash(rm:*)"]',
    fields: { allowedTools: ['Read', 'Bash(a, b)'], disallowedTools: ['Write', 'Bash(rm:*)'] },
  },
  {
    what: 'tools with nested parentheses (there: a flag, no depth)',
    text: 'allowed-tools: Bash(echo (a, b) c) Read',
    fields: { allowedTools: ['Bash(echo (a, b) c)', 'Read'] },
  },
  { what: 'tools null', text: 'allowed-tools:', fields: { allowedTools: [] } },
  {
    what: 'paths by comma with braces',
    text: 'paths: a, src/*.{ts,tsx}',
    fields: { paths: ['a', 'src/*.ts', 'src/*.tsx'] },
  },
  {
    what: 'paths with two braces',
    text: 'paths: "{a,b}/{c,d}"',
    fields: { paths: ['a/c', 'a/d', 'b/c', 'b/d'] },
  },
  { what: 'paths with one alternative', text: 'paths: "{a}"', fields: { paths: ['a'] } },
  { what: 'paths with empty braces', text: 'paths: "{}"', fields: { paths: ['{}'] } },
  { what: 'paths with an open brace', text: 'paths: a{b', fields: { paths: ['a{b'] } },
  {
    what: 'paths with nested braces',
    text: 'paths: "{a,{b,c}}"',
    fields: { paths: ['a', 'b', 'c'] },
    baseline: { paths: ['a}', 'b', 'c}'] },
  },
  {
    what: 'paths keep their stars',
    text: 'paths: src/**, lib/',
    fields: { paths: ['src/**', 'lib/'] },
    baseline: { paths: ['src', 'lib/'] },
  },
  { what: 'paths that are everything', text: 'paths: ["**", "**"]', fields: { paths: [] } },
  {
    what: 'paths beyond the budget stay as they are',
    text: `paths: "${'{a,b}'.repeat(10)}"`,
    fields: { paths: ['{a,b}'.repeat(10)] },
    codes: ['patterns-unexpanded'],
  },
  {
    what: 'paths overrule each other in order',
    text: 'paths: ["src/*.ts", "!src/x.ts"]',
    fields: { paths: ['src/*.ts', '!src/x.ts'] },
  },
  { what: 'context fork', text: 'context: fork', fields: { context: 'fork' } },
  { what: 'context else', text: 'context: main', fields: { context: 'inline' }, codes: ['field-invalid'] },
  { what: 'agent', text: 'agent: Explore', fields: { agent: 'Explore' } },
  { what: 'shell', text: 'shell: powershell', fields: { shell: 'powershell' } },
  { what: 'shell else', text: 'shell: zsh', fields: { shell: null }, codes: ['field-invalid'] },
  { what: 'hooks that are none', text: 'hooks: [a]', fields: { hooks: null }, codes: ['hooks-invalid'] },
  {
    what: 'metadata of any depth',
    text: 'metadata:\n  a: {b: [1, null]}',
    fields: { metadata: { a: { b: [1, null] } } },
  },
  {
    what: 'metadata that is no map',
    text: 'metadata: x',
    fields: { metadata: {} },
    codes: ['field-invalid'],
  },
  {
    what: 'license and compatibility',
    text: 'license: MIT\ncompatibility: needs git',
    fields: { license: 'MIT', compatibility: 'needs git' },
  },
  { what: 'unknown keys', text: 'colour: red', values: { colour: 'red' }, codes: ['key-unknown'] },
];

const EXPECTED_ANYWAY = new Set(['name-missing', 'description-missing']);

describe.each<FormatModeName>(['claude-today', 'claude-baseline'])('systems.md 1b as %s', (mode) => {
  it.each(ROWS.map((row): [string, Row] => [row.what, row]))('%s', (_what, row) => {
    const text = row.file ? row.text : `---\n${row.text}\n---\nBody.\n`;
    const bytes = new TextEncoder().encode(text);
    const { skill, diagnostics } = parseSkill(bytes, 'folder', 'SKILL.md', FORMAT_MODES[mode]);
    const differs = mode === 'claude-baseline' ? row.baseline : undefined;
    if (row.fields) expect(skill?.fields).toMatchObject({ ...row.fields, ...differs });
    if (row.values) expect(skill?.frontmatter).toEqual(row.values);
    if (row.body !== undefined) expect(skill?.body).toBe(row.body);
    const codes = diagnostics.map((entry) => entry.code).filter((code) => !EXPECTED_ANYWAY.has(code));
    expect([...new Set(codes)]).toEqual(row.codes ?? []);
  });
});
