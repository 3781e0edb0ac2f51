import { describe, expect, it } from 'vitest';
import { CatalogShard, CatalogRoot } from '../../src/catalog/merkle-catalog.ts';
import { Revision } from '../../src/catalog/revision.ts';
import type { Layer } from '../../src/catalog/layers.ts';
import { type CompileOptions, compileSources } from '../../src/compile/compile-layer.ts';
import type { LayerSource } from '../../src/compile/layer-source.ts';
import { commandsLayout } from '../../src/compile/layouts/commands.ts';
import { mcpPromptsLayout } from '../../src/compile/layouts/mcp-prompts.ts';
import { pluginLayout } from '../../src/compile/layouts/plugin.ts';
import { projectLayout } from '../../src/compile/layouts/project.ts';
import { treeLayout } from '../../src/compile/layouts/tree.ts';
import { CollectedBlobs, skillText, treeOf } from './trees.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

function source(files: Files, more: Partial<LayerSource> = {}): LayerSource {
  return { tree: treeOf(files), layout: treeLayout, trust: 'trusted', ...more };
}

async function compile(sources: readonly LayerSource[], options: CompileOptions = {}, layer: Layer = 'org') {
  const sink = new CollectedBlobs();
  const compiled = await compileSources(layer, sources, sink, options);
  const { shards } = CatalogRoot.parse(JSON.parse(sink.text(compiled.catalog)));
  const entries = shards.flatMap(({ digest }) => CatalogShard.parse(JSON.parse(sink.text(digest))).entries);
  return {
    sink,
    compiled,
    entries,
    names: entries.map(({ name, kind, listing, origins }) => `${kind} ${name} ${listing} ${origins.join()}`),
    codes: compiled.diagnostics
      .filter(({ severity }) => severity !== 'info')
      .map(({ path, code }) => `${path} ${code}`),
    messages: compiled.diagnostics.map(({ code, message }) => `${code}: ${message}`),
  };
}

const x = (words: string) => skillText('x', '', words);

describe('a layer of several sources', () => {
  it('gives the name to the source that is named first', async () => {
    const { names } = await compile([
      source({ 'one/deep/er/x/SKILL.md': x('one') }, { root: 'one' }),
      source({ 'two/x/SKILL.md': x('two') }, { root: 'two' }),
    ]);
    expect(names).toEqual(['skill two:x auto two/x', 'skill x auto one/deep/er/x']);
  });

  it('prefers a skill to a command of the same name, wherever they lie', async () => {
    const { names, codes, sink, entries } = await compile([
      source(
        { 'c/x.md': '# Old\n', 'c/dir/x.md': '# Other\n' },
        { root: 'c', layout: commandsLayout({ kind: 'command', provider: 'claude' }) },
      ),
      source({ 's/x/SKILL.md': x('new') }, { root: 's' }),
    ]);
    expect(names).toEqual(['command c:x auto c/x.md', 'command dir:x auto c/dir/x.md', 'skill x auto s/x']);
    expect(codes.filter((code) => code.endsWith('name-clash'))).toEqual(['c/x.md name-clash']);
    const [command] = entries;
    const revision = Revision.parse(JSON.parse(sink.text(command?.revision ?? 'sha256:')));
    expect(revision.files.map(({ path }) => path)).toEqual(['SKILL.md']);
    expect(sink.text(revision.files[0]?.sha256 ?? 'sha256:')).toBe('# Old\n');
  });

  it('qualifies a nested skill by its scope, the deepest one last of all', async () => {
    const { entries, codes } = await compile([
      source(
        {
          '.claude/skills/x/SKILL.md': x('top'),
          'packages/a/.claude/skills/x/SKILL.md': x('a'),
          'packages/a/.claude/skills/y/SKILL.md': skillText('y', '', 'a'),
          'packages/a/b/.claude/skills/y/SKILL.md': skillText('y', '', 'b'),
          'packages/c/.claude/skills/x/SKILL.md': x('top'),
        },
        { layout: projectLayout },
      ),
    ]);
    expect(
      entries.map(({ name, scope, listing, origins }) => [name, scope, listing, origins.length]),
    ).toEqual([
      ['packages/a:x', 'packages/a', 'conditional', 1],
      ['packages/a:y', 'packages/a', 'conditional', 1],
      ['x', null, 'auto', 2],
      ['y', 'packages/a/b', 'conditional', 1],
    ]);
    expect(codes).toEqual([
      'packages/a/.claude/skills/x/SKILL.md name-clash',
      'packages/a/.claude/skills/y/SKILL.md name-clash',
    ]);
  });

  it('keeps equal skills of two scopes apart, each being active in its own', async () => {
    const { entries } = await compile([
      source(
        { 'a/.claude/skills/x/SKILL.md': x('same'), 'b/.claude/skills/x/SKILL.md': x('same') },
        { layout: projectLayout },
      ),
    ]);
    expect(entries.map(({ name, scope }) => [name, scope])).toEqual([
      ['b:x', 'b'],
      ['x', 'a'],
    ]);
  });

  it('has a command of a plugin unlisted until somebody describes it', async () => {
    const { names } = await compile([
      source(
        {
          '.claude-plugin/plugin.json': '{"name": "p"}',
          'commands/plain.md': 'Do it.\n',
          'commands/told.md': '---\ndescription: Does it.\n---\n',
          'commands/hint.md': '---\nwhen_to_use: Now.\n---\n',
          'skills/bare/SKILL.md': 'Do it.\n',
        },
        { layout: pluginLayout({ builtin: false }) },
      ),
    ]);
    expect(names).toEqual([
      'plugin-skill p:bare auto skills/bare',
      'plugin-command p:hint auto commands/hint.md',
      'plugin-command p:plain unlisted commands/plain.md',
      'plugin-command p:told auto commands/told.md',
    ]);
  });

  it('takes two links to one file for one skill, under the name that comes first', async () => {
    const { names, messages } = await compile([
      source(
        { 'c/a.md': 'Same.\n', 'c/b.md': 'Same.\n' },
        {
          layout: commandsLayout({ kind: 'command', provider: 'claude' }),
          root: 'c',
          realPath: () => '/real/one.md',
        },
      ),
    ]);
    expect(names).toEqual(['command a auto c/a.md,c/b.md']);
    expect(messages).toContain('skill-merged: the same as c/a.md');
  });
});

describe('names from anybody', () => {
  const lookalikes = {
    ｄeploy: 'width',
    DEPLOY: 'case',
    'de\u200bploy': 'invisible',
  };

  it.each(Object.entries(lookalikes))('that only look different lose: %s', async (name) => {
    const theirs = source({ 'a/t/SKILL.md': skillText(name) }, { root: 'a', trust: 'community' });
    const ours = source({ 'z/deploy/SKILL.md': skillText('deploy') }, { root: 'z' });
    const { entries, codes } = await compile([theirs, ours]);
    expect(entries.map((entry) => [entry.name, entry.trust])).toEqual([
      [`a:${name}`, 'community'],
      ['deploy', 'trusted'],
    ]);
    expect(codes).toContain('a/t/SKILL.md name-clash');
  });

  it('that differ stay as they are, and so do those of trusted sources', async () => {
    const ours = { 'a/SKILL.md': skillText('deploy'), 'b/SKILL.md': skillText('DEPLOY') };
    const { entries } = await compile([
      source(ours),
      source({ 'c/p/SKILL.md': skillText('\u0440lan') }, { trust: 'community', root: 'c' }),
    ]);
    expect(entries.map(({ name }) => name)).toEqual(['DEPLOY', 'deploy', '\u0440lan']);
  });

  it('never take a name from a trusted source that comes later', async () => {
    const { entries } = await compile([
      source({ 'a/x/SKILL.md': x('theirs') }, { trust: 'community', root: 'a' }),
      source({ 'b/x/SKILL.md': x('ours') }, { root: 'b' }),
    ]);
    expect(entries.map(({ name, trust }) => [name, trust])).toEqual([
      ['a:x', 'community'],
      ['x', 'trusted'],
    ]);
  });
});

describe('what a person chose', () => {
  it('hides a skill, or leaves it out with all that is its own', async () => {
    const listing = { named: 'name-only', people: 'manual' } as const;
    const { names, codes, messages, sink, compiled } = await compile([
      source(
        {
          'r/named/SKILL.md': skillText('named'),
          'r/people/SKILL.md': skillText('people'),
          'r/gone/SKILL.md': skillText('gone'),
          'r/gone/secret.txt': 'secret',
        },
        {
          root: 'r',
          choose: ({ name, path }) => {
            expect(path).toBe(name);
            if (name === 'gone') return { off: 'is switched off' };
            return { listing: name === 'named' ? listing.named : listing.people };
          },
        },
      ),
    ]);
    expect(names).toEqual(['skill named name-only r/named', 'skill people manual r/people']);
    expect(codes).toEqual([]);
    expect(compiled.notLoaded).toEqual([]);
    expect(messages).toEqual(['skill-off: "gone" is switched off']);
    const texts = [...sink.blobs.keys()].map((digest) => sink.text(digest));
    expect(texts.some((text) => text.includes('secret') || text.includes('gone'))).toBe(false);
  });

  it('shows nothing that its author hides', async () => {
    const { names } = await compile([
      source(
        {
          'a/SKILL.md': skillText('a', 'disable-model-invocation: true\n'),
          'b/SKILL.md': skillText('b', 'paths: src/**\n'),
        },
        { choose: () => ({ listing: 'name-only' }) },
      ),
    ]);
    expect(names).toEqual(['skill a manual a', 'skill b conditional b']);
  });
});

describe('a precedence', () => {
  const sources = [
    source({ 'c/x/SKILL.md': x('custom') }, { root: 'c', provider: 'custom' }),
    source(
      {
        'p/.agents/skills/x/SKILL.md': x('agents'),
        'p/.claude/skills/x/SKILL.md': x('claude'),
        'p/.codex/skills/x/SKILL.md': x('codex'),
      },
      { root: 'p', layout: projectLayout },
    ),
    source({ 'n/x/SKILL.md': x('native') }, { root: 'n', provider: 'native' }),
  ];

  it.each([
    ['skilledge', 'c/x'],
    ['claude-code', 'c/x'],
    ['agentskills', 'c/x'],
    ['oh-my-pi', 'n/x'],
  ] as const)('%s says whose name it is', async (precedence, winner) => {
    const { entries } = await compile(sources, { precedence });
    expect(entries.find(({ name }) => name === 'x')?.origins).toEqual([winner]);
    expect(entries).toHaveLength(5);
  });

  it('puts .claude before .agents before .codex in one project', async () => {
    const { messages } = await compile(sources.slice(1, 2));
    expect(messages.filter((message) => message.startsWith('name-clash'))).toEqual([
      'name-clash: "x" is also in p/.claude/skills/x; this one is "p/.agents/skills:x"',
      'name-clash: "x" is also in p/.claude/skills/x; this one is "p/.codex/skills:x"',
    ]);
  });

  it.each([
    ['skilledge', 3, []],
    ['agentskills', 0, ['c', 'n', 'p/.claude/skills']],
    ['oh-my-pi', 1, ['c', 'n']],
  ] as const)('%s wants descriptions, or does not', async (precedence, loaded, refused) => {
    const bare = 'Do it.\n';
    const { compiled, codes } = await compile(
      [
        source({ 'c/a/SKILL.md': bare }, { root: 'c', provider: 'custom' }),
        source({ 'n/b/SKILL.md': bare }, { root: 'n', provider: 'native' }),
        source({ 'p/.claude/skills/c/SKILL.md': bare }, { root: 'p', layout: projectLayout }),
      ],
      { precedence },
    );
    expect(compiled.skills).toBe(loaded);
    const wanted = codes.filter((code) => code.endsWith('description-required'));
    expect(wanted.map((code) => code.split('/').slice(0, -2).join('/'))).toEqual(refused);
  });
});

describe('prompts of an MCP server', () => {
  it('are skills of an untrusted layer', async () => {
    const prompts = [{ name: 'ask', messages: [{ role: 'user', content: { type: 'text', text: 'Ask.' } }] }];
    const { entries } = await compile(
      [
        source(
          { 'm.json': JSON.stringify({ server: 's', prompts }) },
          { layout: mcpPromptsLayout, trust: 'community' },
        ),
      ],
      {},
      'mcp:s',
    );
    expect(entries).toMatchObject([{ name: 'mcp__s__ask', kind: 'mcp-prompt', trust: 'community' }]);
  });
});
