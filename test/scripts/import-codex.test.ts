import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { insertLines } from '../../scripts/lib/import-codex/insert-lines.ts';
import { mergeSidecar } from '../../scripts/lib/import-codex/merge-sidecar.ts';
import { temporaryFolder } from './temporary.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const skill = (more: string) => `---\nname: x\n${more}description: Does x. # why\n---\nBody.\n`;

function imported(skillText: string, sidecar: string): string | string[] {
  const merged = mergeSidecar(skillText, sidecar);
  return merged.ok
    ? insertLines(skillText, merged.value)
    : merged.error.map(({ message, skillLine, sidecarLine }) => `${skillLine} ${sidecarLine} ${message}`);
}

describe('importing a sidecar', () => {
  it('adds what the frontmatter lacks and leaves the rest as it is', () => {
    const sidecar = 'interface:\n  display_name: "X: the tool"\npolicy:\n  products: [codex]\nother: 1\n';
    expect(imported(skill(''), sidecar)).toBe(
      '---\nname: x\ndescription: Does x. # why\ninterface:\n  display_name: "X: the tool"\n' +
        'policy:\n  products:\n    - codex\n---\nBody.\n',
    );
  });

  it('adds to what is there, behind its last line', () => {
    const text = skill('interface:\n    brand_color: "#112233"\n    # a remark\n');
    expect(imported(text, 'interface: { display_name: X, brand_color: "#112233" }')).toContain(
      'interface:\n    brand_color: "#112233"\n    display_name: X\n',
    );
  });

  it('keeps carriage returns and a byte order mark', () => {
    const text = `\uFEFF${skill('').replaceAll('\n', '\r\n')}`;
    const result = imported(text, 'policy: { allow_implicit_invocation: false }');
    expect(result).toBe(
      text.replace('# why\r\n', '# why\r\npolicy:\r\n  allow_implicit_invocation: false\r\n'),
    );
  });

  it.each([
    ['interface:\n  display_name: Y\n', 'interface:\n  display_name: X\n', '4 2 '],
    ['disable-model-invocation: true\n', 'policy:\n\n  allow_implicit_invocation: true\n', '3 3 '],
    ['metadata:\n  short-description: One\n', 'interface:\n  short_description: Two\n', '4 2 '],
    ['interface: { icon_small: x }\n', 'interface:\n  display_name: X\n', '3 1 '],
    ['broken: [\n', 'interface:\n  display_name: X\n', '4 1 '],
    ['', 'interface: [\n', '1 2 '],
  ])('refuses a contradiction with both lines: %j', (more, sidecar, start) => {
    const result = imported(skill(more), sidecar);
    expect(Array.isArray(result)).toBe(true);
    expect(result[0]?.slice(0, start.length)).toBe(start);
  });

  it.each([
    ['disable-model-invocation: yes\n', 'policy: { allow_implicit_invocation: false }'],
    ['short_description: One\n', 'interface: { short_description: One }'],
  ])('finds nothing to do where the frontmatter says it in its own way: %j', (more, sidecar) => {
    expect(imported(skill(more), sidecar)).toBe(skill(more));
  });

  it('gives the sidecar back, whatever is in it, and is then complete', () => {
    const words = fc.string({
      unit: fc.constantFrom('a', ':', '#', ' ', '"', "'", '-', '\n', '{', 'é'),
      maxLength: 12,
    });
    const members = fc.dictionary(fc.constantFrom('display_name', 'default_prompt', 'x-y'), words, {
      minKeys: 1,
    });
    fc.assert(
      fc.property(members, members, (ours, policy) => {
        const sidecar = JSON.stringify({ interface: ours, policy });
        const result = imported(skill(''), sidecar);
        const frontmatter = String(result).split(/^---$/m)[1] ?? '';
        expect(parse(frontmatter)).toMatchObject({ name: 'x', interface: ours, policy });
        expect(imported(String(result), sidecar)).toBe(result);
      }),
      { numRuns: 300 },
    );
  });
});

describe('npm run import:codex', () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/import-codex.ts', ...words], { cwd: PROJECT, encoding: 'utf8' });

  it('shows a diff, and writes when it is told to', () => {
    const root = temporaryFolder({
      'a/SKILL.md': skill(''),
      'a/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\n',
      'b/agents/openai.yaml': 'policy: {}\n',
    });
    const shown = run(root);
    expect(shown.stdout).toContain('@@ -3,0 +4,2 @@\n+policy:\n+  allow_implicit_invocation: false\n');
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe(skill(''));
    expect(run(root, '--write').stdout).toContain('1 changed, 0 already complete, 0 refused');
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toContain('allow_implicit_invocation: false');
    expect(run(root).stdout).toContain('0 would change, 1 already complete, 0 refused');
  });

  it('fails on a contradiction and writes nothing of that skill', () => {
    const text = skill('policy:\n  allow_implicit_invocation: true\n');
    const root = temporaryFolder({
      'a/SKILL.md': text,
      'a/agents/openai.yaml': 'policy:\n  allow_implicit_invocation: false\ninterface:\n  display_name: X\n',
    });
    const result = run(root, '--write');
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/a\/SKILL\.md:4: .+ \(.+a\/agents\/openai\.yaml:2\)/);
    expect(readFileSync(join(root, 'a/SKILL.md'), 'utf8')).toBe(text);
  });
});
