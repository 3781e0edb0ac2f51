import { describe, expect, it } from 'vitest';
import { commandsLayout } from '../../src/compile/layouts/commands.ts';
import { projectLayout } from '../../src/compile/layouts/project.ts';
import { rootsLayout } from '../../src/compile/layouts/roots.ts';
import { treeLayout } from '../../src/compile/layouts/tree.ts';
import { layOutTree } from './lay-out.ts';

const commands = commandsLayout({ kind: 'command', provider: 'claude' });

describe('the layout tree', () => {
  it('takes a SKILL.md at any depth, below its root only', async () => {
    const files = { 'in/SKILL.md': '', 'in/a/b/SKILL.md': '', 'out/SKILL.md': '', 'inside/SKILL.md': '' };
    expect((await layOutTree(treeLayout, files, 'in')).names).toEqual([
      'skill <own> = in',
      'skill <own> = in/a/b',
    ]);
  });
});

describe('the layout roots', () => {
  const files = {
    'one/SKILL.md': '',
    'one/nested/SKILL.md': '',
    'team/deep/SKILL.md': '',
    'SKILL.md': '',
    'loose.md': '',
    'a\u0001b/SKILL.md': '',
    'no-skill/readme.txt': '',
  };

  it('takes exactly one level, and says which SKILL.md it does not take', async () => {
    const roots = await layOutTree(rootsLayout({ provider: 'custom', namedByFolder: false }), files);
    expect(roots.names).toEqual(['skill <own> = one']);
    expect(roots.codes).toEqual([
      'a\u0001b/SKILL.md:1 path-unsafe',
      'SKILL.md:1 skill-misplaced',
      'team/deep/SKILL.md:1 skill-misplaced',
    ]);
    const [one] = roots.laid.definitions;
    expect(one?.files.map(({ path }) => path)).toEqual(['SKILL.md', 'nested/SKILL.md']);
  });

  it('names a skill by its folder where the convention does', async () => {
    const roots = await layOutTree(rootsLayout({ provider: 'claude', namedByFolder: true }), files);
    expect(roots.names).toEqual(['skill one = one']);
  });
});

describe('the layout commands', () => {
  it('makes names of paths', async () => {
    const { names, codes, laid } = await layOutTree(commands, {
      'x.md': '',
      'dir/x.md': '',
      'a/b/c.md': '',
      'own/SKILL.md': '',
      'own/helper.md': '',
      'own/deep/more.md': '',
      'SKILL.md': '',
      'script.sh': '',
      'bad\nname.md': '',
    });
    expect(names).toEqual([
      'command a:b:c = a/b/c.md',
      'command dir:x = dir/x.md',
      'command own = own',
      'command x = x.md',
    ]);
    expect(codes).toEqual(['bad\nname.md:1 path-unsafe']);
    expect(laid.definitions.map(({ files }) => files.map(({ path }) => path))).toEqual([
      ['SKILL.md'],
      ['SKILL.md'],
      ['SKILL.md', 'deep/more.md', 'helper.md'],
      ['SKILL.md'],
    ]);
  });
});

describe('the layout project', () => {
  it('knows the folders of each agent, nested ones by their scope', async () => {
    const { names, codes, laid } = await layOutTree(projectLayout, {
      '.claude/skills/a/SKILL.md': '',
      '.claude/commands/dir/x.md': '',
      '.claude/workflows/ship.md': '',
      '.agents/skills/b/SKILL.md': '',
      '.codex/skills/c/SKILL.md': '',
      '.github/skills/d/SKILL.md': '',
      '.github/skills/group/e/SKILL.md': '',
      'packages/a/.claude/skills/x/SKILL.md': '',
      'packages/a/b/.agents/skills/y/SKILL.md': '',
      'packages/a/.claude/commands/never.md': '',
      'src/SKILL.md': '',
      'my.claude/skills/z/SKILL.md': '',
    });
    expect(names).toEqual([
      'skill a = .claude/skills/a',
      'skill x = packages/a/.claude/skills/x below packages/a',
      'skill <own> = .agents/skills/b',
      'skill <own> = packages/a/b/.agents/skills/y below packages/a/b',
      'skill <own> = .codex/skills/c',
      'skill <own> = .github/skills/d',
      'command dir:x = .claude/commands/dir/x.md',
      'workflow-command ship = .claude/workflows/ship.md',
    ]);
    expect(codes).toEqual(['.github/skills/group/e/SKILL.md:1 skill-misplaced']);
    expect(laid.definitions.map(({ provider }) => provider)).toEqual([
      'claude',
      'claude',
      'agents',
      'agents',
      'codex',
      'github',
      'claude',
      'claude',
    ]);
  });

  it("takes no example inside a skill for a project's folder", async () => {
    const { names } = await layOutTree(projectLayout, {
      '.claude/skills/a/SKILL.md': '',
      '.claude/skills/a/example/.claude/skills/b/SKILL.md': '',
      '.claude/skills/a/example/.agents/skills/c/SKILL.md': '',
    });
    expect(names).toEqual(['skill a = .claude/skills/a']);
  });

  it('looks below its root, and counts scopes from there', async () => {
    const { names } = await layOutTree(
      projectLayout,
      { 'web/p/.agents/skills/a/SKILL.md': '', '.agents/skills/b/SKILL.md': '' },
      'web',
    );
    expect(names).toEqual(['skill <own> = web/p/.agents/skills/a below p']);
  });
});
