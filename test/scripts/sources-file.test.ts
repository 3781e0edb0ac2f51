import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSourcesFile } from '../../scripts/lib/sources/sources-file.ts';
import { temporaryFolder } from './temporary.ts';

function read(text: string, files: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder({ 'skilledge.yaml': text, 'ours/x': '', 'more/x': '', ...files });
  const file = join(folder, 'skilledge.yaml');
  const result = readSourcesFile(file);
  return {
    folder,
    value: result.ok ? result.value : null,
    faults: result.ok ? [] : result.error.map((fault) => fault.replace(`${file}:`, '')),
  };
}

describe('a sources file', () => {
  it('says where skills are, how they are read, and what is wanted of each', () => {
    const { value, faults, folder } = read(`
version: 1
precedence: oh-my-pi
flags: [beta]
sources:
  - { layer: org, path: ./ours }
  - layer: org
    path: ../more
    enabled: false
  - layer: "plugin:tools"
    path: more/
    layout: plugin
    trust: trusted
    ignore: ["old-*"]
    include: ["tools:*"]
    provider: claude
skills:
  deploy: manual
  org/loop: { flag: AGENT_TRIGGERS }
  old: off
`);
    expect(faults).toEqual([]);
    expect(value).toEqual({
      precedence: 'oh-my-pi',
      flags: ['beta'],
      sources: [
        {
          layer: 'org',
          directory: join(folder, 'ours'),
          label: 'ours',
          layout: 'tree',
          ignore: [],
          include: [],
        },
        {
          layer: 'plugin:tools',
          directory: join(folder, 'more'),
          label: 'more',
          layout: 'plugin',
          trust: 'trusted',
          provider: 'claude',
          ignore: ['old-*'],
          include: ['tools:*'],
        },
      ],
      skills: {
        deploy: { state: 'manual' },
        'org/loop': { state: 'auto', flag: 'AGENT_TRIGGERS' },
        old: { state: 'off' },
      },
    });
  });

  it.each([
    ['version: 2\n', ['1: version: ']],
    ['sources: []\n', ['1: version: ']],
    ['version: 1\nsuorces: []\n', ['2: Unrecognized key: "suorces"']],
    [
      'version: 1\nsources:\n  - layer: org\n    path: ours\n    layuot: tree\n',
      ['5: sources.0: Unrecognized key'],
    ],
    ['version: 1\nsources:\n  - layer: team\n    path: ours\n', ['3: sources.0.layer: a layer is bundled']],
    ['version: 1\nsources:\n  - layer: org\n\n    path: gone\n', ['5: sources.0.path: no folder gone']],
    [
      'version: 1\nsources:\n  - layer: org\n    path: ours\n    trust: builtin\n',
      ['5: sources.0.trust: trust "builtin" is more than org can have'],
    ],
    [
      'version: 1\nsources:\n  - layer: org\n    path: ours\n    layout: mcp-prompts\n',
      ['5: sources.0.layout: prompts of MCP servers belong to mcp:SERVER'],
    ],
    [
      'version: 1\nsources:\n  - layer: "mcp:s"\n    path: ours\n    trust: trusted\n',
      ['5: sources.0.trust: trust "trusted" is more than mcp:s can have'],
    ],
    ['version: 1\nskills:\n  x: sometimes\n', ['3: skills.x: ']],
    ['version: 1\nskills:\n  a: off\n  a: auto\n', ['4: Map keys must be unique']],
    ['version: 1\nflags: &a [x]\nsources: *a\n', ['3: aliases are not accepted']],
    ['version: 1\nsources: [\n', ['3: ']],
    ['version: 1\nprecedence: mine\nflags: x\n', ['2: precedence: ', '3: flags: ']],
  ])('that is wrong is refused with its line: %j', (text, starts) => {
    const { faults } = read(text);
    expect(faults).toHaveLength(starts.length);
    for (const [index, start] of starts.entries()) expect(faults[index]).toContain(start);
    for (const [index, start] of starts.entries())
      expect(faults[index]?.startsWith(start.slice(0, 2))).toBe(true);
  });

  it('that is not there is said so', () => {
    expect(readSourcesFile('/no/such/file')).toEqual({ ok: false, error: ['/no/such/file:1: no such file'] });
  });
});
