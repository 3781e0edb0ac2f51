import { describe, expect, it } from 'vitest';
import { marketplaceLayout } from '../../src/compile/layouts/marketplace.ts';
import { pluginLayout } from '../../src/compile/layouts/plugin.ts';
import { layOutTree } from './lay-out.ts';

const plugin = pluginLayout({ builtin: false });
const json = (value: unknown) => JSON.stringify(value, null, 2);

describe('a plugin', () => {
  it('has skills and commands under its name', async () => {
    const { names, codes, laid } = await layOutTree(plugin, {
      '.claude-plugin/plugin.json': json({
        name: 'tools',
        version: '1.2.0',
        skills: './extra',
        commands: ['./more/one.md', './more/dir'],
        userConfig: {
          region: { type: 'string', default: 'eu' },
          token: { type: 'string', default: 'x', sensitive: true },
          'not a name': {},
        },
      }),
      'skills/review/SKILL.md': '',
      'skills/old/deploy/SKILL.md': '',
      'skills/review/examples/x/SKILL.md': '',
      'extra/SKILL.md': '',
      'commands/go.md': '',
      'commands/sub/go.md': '',
      'more/one.md': '',
      'more/dir/two.md': '',
      'agents/a.md': '',
    });
    expect(names).toEqual([
      'plugin-skill tools:<own> = extra',
      'plugin-skill tools:<own> = skills/review',
      'plugin-command tools:one = more/one.md',
      'plugin-command tools:two = more/dir/two.md',
      'plugin-command tools:go = commands/go.md',
      'plugin-command tools:sub:go = commands/sub/go.md',
    ]);
    expect(codes).toEqual([]);
    for (const definition of laid.definitions) {
      expect(definition.plugin).toEqual({
        name: 'tools',
        root: '',
        version: '1.2.0',
        options: { region: 'eu', token: null },
      });
    }
  });

  it('that names no skills has all of its folder, the folders between being part of their names', async () => {
    const { names } = await layOutTree(plugin, {
      '.claude-plugin/plugin.json': json({ name: 'tools' }),
      'skills/review/SKILL.md': '',
      'skills/web/deploy/SKILL.md': '',
      'skills/web/deploy/examples/x/SKILL.md': '',
    });
    expect(names).toEqual([
      'plugin-skill tools:<own> = skills/review',
      'plugin-skill tools:web:<own> = skills/web/deploy',
    ]);
  });

  it('is a built-in one by the word of the deployment', async () => {
    const files = { '.claude-plugin/plugin.json': json({ name: 'p' }), 'skills/a/SKILL.md': '' };
    const { names } = await layOutTree(pluginLayout({ builtin: true }), files);
    expect(names).toEqual(['builtin-plugin-skill p:<own> = skills/a']);
  });

  it.each([
    ['no manifest', {}, '.claude-plugin/plugin.json:1 plugin-invalid'],
    [
      'no JSON',
      { '.claude-plugin/plugin.json': '{\n  "name": "p",\n  "x\n' },
      '.claude-plugin/plugin.json:4 plugin-invalid',
    ],
    [
      'a name that cannot be one',
      { '.claude-plugin/plugin.json': '{\n  "name": "a:b"\n}' },
      '.claude-plugin/plugin.json:2 plugin-invalid',
    ],
    [
      'skills outside of it',
      { '.claude-plugin/plugin.json': '{\n  "name": "p",\n  "skills": ["./skills",\n    "../other"]\n}' },
      '.claude-plugin/plugin.json:4 plugin-invalid',
    ],
    [
      'commands that are not there',
      { '.claude-plugin/plugin.json': '{"name": "p",\n"commands": "./none"}' },
      '.claude-plugin/plugin.json:2 plugin-invalid',
    ],
  ])('with %s is reported on its line', async (_what, manifest, code) => {
    const { codes } = await layOutTree(plugin, { 'skills/a/SKILL.md': '', ...manifest });
    expect(codes).toEqual([code]);
  });
});

describe('a marketplace', () => {
  it('loads the plugins that lie in its tree, and says which do not', async () => {
    const { names, codes } = await layOutTree(marketplaceLayout, {
      '.claude-plugin/marketplace.json': json({
        name: 'market',
        owner: { name: 'x' },
        plugins: [
          { name: 'one', source: './plugins/one' },
          { name: 'some', source: './', strict: false, skills: ['./skills/a'] },
          { name: 'git', source: { source: 'github', repo: 'x/y' } },
          { name: 'gone', source: './plugins/gone' },
          { name: 'out', source: '../out' },
        ],
      }),
      'plugins/one/.claude-plugin/plugin.json': json({ name: 'called-otherwise' }),
      'plugins/one/skills/s/SKILL.md': '',
      'skills/a/SKILL.md': '',
      'skills/b/SKILL.md': '',
    });
    expect(names).toEqual([
      'plugin-skill one:<own> = plugins/one/skills/s',
      'plugin-skill some:<own> = skills/a',
    ]);
    expect(codes).toEqual([
      '.claude-plugin/marketplace.json:21 plugin-elsewhere',
      '.claude-plugin/marketplace.json:28 plugin-invalid',
      '.claude-plugin/marketplace.json:32 plugin-invalid',
    ]);
  });

  it('puts its pluginRoot in front of sources', async () => {
    const { names } = await layOutTree(marketplaceLayout, {
      '.claude-plugin/marketplace.json': json({
        name: 'market',
        metadata: { pluginRoot: './plugins' },
        plugins: [{ name: 'one', source: './one' }],
      }),
      'plugins/one/skills/s/SKILL.md': '',
    });
    expect(names).toEqual(['plugin-skill one:<own> = plugins/one/skills/s']);
  });

  it('without a manifest is reported', async () => {
    const { codes } = await layOutTree(marketplaceLayout, {});
    expect(codes).toEqual(['.claude-plugin/marketplace.json:1 plugin-invalid']);
  });
});
