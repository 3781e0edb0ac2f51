import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkill, skillBody } from '../../src/format/parse-skill.ts';
import { SkillFields } from '../../src/format/fields/skill-fields.ts';

const KEYS = [
  'name description when_to_use argument-hint arguments version license compatibility metadata allowed-tools',
  'disallowed-tools model effort context agent background persist user-invocable paths globs alwaysApply shell hooks',
  'policy interface dependencies requires tools platforms prerequisites setup required_environment_variables',
  'requires_bin unknown',
].flatMap((line) => line.split(' '));

function parse(text: string, folder = 'folder') {
  return parseSkill(new TextEncoder().encode(text), folder, 'SKILL.md');
}

function withFrontmatter(lines: string): string {
  return `---\nname: x\ndescription: y\n${lines}\n---\nbody\n`;
}

describe('parseSkill', () => {
  it('reads every field that is acted on', () => {
    const { skill } = parse(
      withFrontmatter(
        'when_to_use: w\nargument-hint: "[a]"\narguments: one 2 two\nversion: 1.10\nlicense: MIT\ncompatibility: all\n' +
          'allowed-tools: Bash(git diff:*), Read\ndisallowed-tools: [Write]\nmodel: opus[1m]\neffort: HIGH\ncontext: fork\n' +
          'agent: plan\nbackground: no\npersist: no\nuser-invocable: off\ndisable-model-invocation: 1\npaths: a/**, b\nshell: powershell',
      ),
    );
    expect(skill?.fields).toEqual({
      description: 'y',
      whenToUse: 'w',
      shortDescription: null,
      argumentHint: '[a]',
      arguments: ['one', 'two'],
      version: '1.10',
      license: 'MIT',
      compatibility: 'all',
      allowedTools: ['Bash(git diff:*)', 'Read'],
      disallowedTools: ['Write'],
      model: 'opus[1m]',
      effort: 'high',
      context: 'fork',
      agent: 'plan',
      background: false,
      persist: false,
      userInvocable: false,
      disableModelInvocation: true,
      paths: ['a/**', 'b'],
      globs: [],
      alwaysApply: false,
      shell: 'powershell',
      hooks: null,
      metadata: {},
      policy: null,
      interface: null,
      requires: null,
      install: [],
    });
    expect(SkillFields.safeParse(skill?.fields).success).toBe(true);
  });

  it('has a default for every field', () => {
    const { skill, diagnostics } = parse('---\nname: x\ndescription: y\n---\nbody\n');
    expect(diagnostics).toEqual([]);
    expect(skill?.fields).toMatchObject({
      arguments: [],
      allowedTools: [],
      model: null,
      effort: null,
      context: 'inline',
      background: true,
      persist: true,
      userInvocable: true,
      disableModelInvocation: false,
      paths: [],
      hooks: null,
    });
  });

  it.each<[string, string, string]>([
    ['the first paragraph', '---\nname: x\n---\n\n# Title\n\nSecond.', 'Title'],
    [
      'not a code block',
      '---\nname: x\n---\n```\ncode\n```\n\nThen text\nover two lines.',
      'Then text over two lines.',
    ],
    ['the name, at last', '---\nname: x\n---\n', 'x'],
  ])('falls back to %s for the description', (_name, text, description) => {
    const { skill, diagnostics } = parse(text);
    expect(skill?.fields.description).toBe(description);
    expect(diagnostics.map((entry) => entry.code)).toContain('description-missing');
  });

  it.each<[string, string, string, string]>([
    ['none', '---\ndescription: y\n---\n', 'folder', 'name-missing'],
    ['empty', '---\nname: ""\ndescription: y\n---\n', 'folder', 'name-unusable'],
    ['a line break', '---\nname: "a\\nb"\ndescription: y\n---\n', 'folder', 'name-unusable'],
    ['too long', `---\nname: ${'a'.repeat(129)}\ndescription: y\n---\n`, 'folder', 'name-unusable'],
    ['breaks the rules', '---\nname: Azure CLI\ndescription: y\n---\n', 'Azure CLI', 'name-invalid'],
    ['65 characters', `---\nname: ${'a'.repeat(65)}\ndescription: y\n---\n`, 'a'.repeat(65), 'name-invalid'],
    ['a number', '---\nname: 1.0\ndescription: y\n---\n', '1.0', 'name-invalid'],
  ])('a name with %s', (_name, text, name, code) => {
    const { skill, diagnostics } = parse(text);
    expect(skill?.name).toBe(name);
    expect(diagnostics.map((entry) => entry.code)).toContain(code);
  });

  it('uses no folder name that could not be a name itself', () => {
    expect(parse('---\ndescription: y\n---\n', 'a\nb').skill?.name).toBe('skill');
  });

  it('drops a bad hook, says so with its line, and keeps the good one', () => {
    const { skill, diagnostics } = parse(
      withFrontmatter(
        'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{type: command, command: ./x.sh, once: true}]\n    - hooks: [{type: nonsense}]\n  Stop: no',
      ),
    );
    expect(skill?.fields.hooks).toEqual({
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './x.sh', once: true }] }],
    });
    expect(diagnostics.filter((entry) => entry.code === 'hooks-invalid').map((entry) => entry.line)).toEqual([
      8, 9,
    ]);
  });

  it.each(['maybe', '[a]', '2'])('reports a switch that says %s and keeps the default', (value) => {
    const { skill, diagnostics } = parse(withFrontmatter(`user-invocable: ${value}`));
    expect(skill?.fields.userInvocable).toBe(true);
    expect(diagnostics).toMatchObject([{ code: 'field-invalid', line: 4 }]);
  });

  it('reports unknown keys as information and keeps them', () => {
    const { skill, diagnostics } = parse(withFrontmatter('homepage: https://example.org'));
    expect(diagnostics).toMatchObject([{ code: 'key-unknown', severity: 'info', line: 4 }]);
    expect(skill?.frontmatter).toEqual({ name: 'x', description: 'y', homepage: 'https://example.org' });
  });

  it.each<[string, Uint8Array, string, number]>([
    ['empty', new Uint8Array(), 'skill-file-empty', 1],
    ['blank', new TextEncoder().encode(' \n\n'), 'skill-file-empty', 1],
    ['not UTF-8', new Uint8Array([0x61, 0x0a, 0x62, 0x0a, 0xff]), 'skill-file-encoding', 3],
    ['with a NUL', new TextEncoder().encode('---\nname: x\0\n---\n'), 'skill-file-encoding', 1],
    ['over 1 MiB', new Uint8Array(1024 * 1024 + 1).fill(0x61), 'file-too-large', 1],
  ])('does not load a file that is %s', (_name, bytes, code, line) => {
    const { skill, diagnostics } = parseSkill(bytes, 'folder', 'SKILL.md');
    expect(skill).toBeNull();
    expect(diagnostics).toMatchObject([{ code, line, severity: 'error', path: 'SKILL.md' }]);
  });

  it('serves the body that it parsed', () => {
    const text = '\uFEFF---\r\nname: x\r\ndescription: y\r\n---\r\nbody\r\n---\r\nmore';
    expect(skillBody(new TextEncoder().encode(text))).toBe(parse(text).skill?.body);
    expect(parse(text).skill?.body).toBe('body\n---\nmore');
  });

  it('never throws, and every remark has a line of the file', () => {
    const lines = fc.array(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom('---', 'name: x', 'hooks:', '  - a', 'paths: {a', '\t- x', 'a: |'),
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(lines, (parts) => {
        const text = `---\n${parts.join('\n')}\n---\nbody`;
        const { diagnostics } = parse(text.toWellFormed());
        const last = text.split(/\r\n|\r|\n/).length;
        expect(diagnostics.every((entry) => entry.line >= 1 && entry.line <= last)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has fields of the right types whatever is written, and remarks within the file', () => {
    const key = fc.constantFrom(...KEYS);
    const member = fc.constantFrom(
      'name',
      'type',
      'env',
      'bins',
      'hooks',
      'mcp',
      'openclaw',
      'Stop',
      'requires',
      'tools',
    );
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(
          null,
          true,
          1.5,
          -3,
          '',
          'yes',
          'a, b',
          '{a,b}',
          'command',
          'fork',
          'high',
          '{openclaw: 1}',
        ),
        fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.toWellFormed()),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(member, tie('value'), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 8 }), (frontmatter) => {
        const lines = Object.entries(frontmatter).map(
          ([name, content]) => `${name}: ${JSON.stringify(content)}`,
        );
        const text = `---\n${lines.join('\n')}\n---\nbody`;
        const { skill, diagnostics } = parse(text);
        const last = text.split(/\r\n|\r|\n/).length;
        expect(diagnostics.filter((entry) => entry.line < 1 || entry.line > last)).toEqual([]);
        if (skill) expect(SkillFields.safeParse(skill.fields).error).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
  });
});
