import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discover } from '../../scripts/lib/sources/discover.ts';
import { gitIgnored } from '../../scripts/lib/sources/git-ignored.ts';
import { temporaryFolder } from './temporary.ts';

function found(root: string, directory: string, user = 'Ada L.') {
  return discover({
    directory: join(root, directory),
    home: join(root, 'home'),
    user,
    managed: [join(root, 'etc/claude-code'), join(root, 'etc/codex')],
  }).map(({ layer, directory: at, layout, provider = '', label }) =>
    [layer, relative(root, at), layout, provider, label?.replace(root.slice(1), '')].join(' '),
  );
}

const machine = () =>
  temporaryFolder({
    'etc/claude-code/.claude/skills/policy/SKILL.md': '',
    'etc/codex/skills/admin/SKILL.md': '',
    'home/.claude/skills/mine/SKILL.md': '',
    'home/.claude/commands/mine.md': '',
    'home/.agents/skills/shared/SKILL.md': '',
    'home/.codex/skills/c/SKILL.md': '',
    'home/.github/skills/none/SKILL.md': '',
    'home/work/repo/.claude/skills/top/SKILL.md': '',
    'home/work/repo/packages/.agents/skills/middle/SKILL.md': '',
    'home/work/repo/packages/a/.claude/skills/low/SKILL.md': '',
    'home/work/.claude/skills/outside/SKILL.md': '',
  });

const COMMON = [
  'org etc/claude-code/.claude/skills roots claude /etc/claude-code/.claude/skills',
  'org etc/codex/skills roots codex /etc/codex/skills',
  'user:Ada-L. home/.claude/skills roots claude ~/.claude/skills',
  'user:Ada-L. home/.agents/skills roots agents ~/.agents/skills',
  'user:Ada-L. home/.claude/commands commands  ~/.claude/commands',
  'user:Ada-L. home/.codex/skills roots codex ~/.codex/skills',
];

describe('discovering', () => {
  it('walks from the working directory up to the root of the repository, the nearest first', () => {
    const root = machine();
    mkdirSync(join(root, 'home/work/repo/.git'));
    expect(found(root, 'home/work/repo/packages/a')).toEqual([
      ...COMMON,
      'project:repo home/work/repo/packages/a project  packages/a',
      'project:repo home/work/repo/packages/.agents/skills roots agents packages/.agents/skills',
      'project:repo home/work/repo/.claude/skills roots claude .claude/skills',
    ]);
  });

  it('walks up to the home folder, and not into it, where there is no repository', () => {
    const places = found(machine(), 'home/work/repo');
    expect(places.slice(COMMON.length)).toEqual([
      'project:work home/work/repo project  repo',
      'project:work home/work/.claude/skills roots claude .claude/skills',
    ]);
  });

  it('does not walk up from elsewhere, and finds no project in the home folder', () => {
    const root = machine();
    expect(found(root, 'etc/codex').slice(COMMON.length)).toEqual(['project:codex etc/codex project  ']);
    expect(found(root, 'home')).toEqual(COMMON);
  });

  it('has a layer for whatever a user is called', () => {
    const user = (name: string) => found(machine(), 'home', name).find((line) => line.startsWith('user:'));
    expect(user('../:/')?.split(' ')[0]).toBe('user:local');
    expect(user('x'.repeat(100))?.split(' ')[0]).toBe(`user:${'x'.repeat(64)}`);
  });
});

describe('gitIgnored', () => {
  it('says of folders what git says', () => {
    const folders = ['build', 'src/build', 'src/kept', 'src/gen', 'vendor/a', 'docs', 'deep/tmp', 'private'];
    const root = temporaryFolder({
      '.gitignore': 'build/\n/vendor\n!src/kept\n*.log\ndocs/*.md\n',
      'src/.gitignore': 'gen\n!build/\n',
      ...Object.fromEntries(folders.map((folder) => [`${folder}/x.txt`, ''])),
    });
    execFileSync('git', ['init', '-q'], { cwd: root });
    execFileSync('sh', ['-c', 'echo private >> .git/info/exclude; echo /tmp > deep/.gitignore'], {
      cwd: root,
    });
    const git = folders.filter((folder) => {
      try {
        execFileSync('git', ['check-ignore', '-q', folder], { cwd: root });
        return true;
      } catch {
        return false;
      }
    });
    expect(folders.filter(gitIgnored(root))).toEqual(git);
    expect(git).toEqual(['build', 'src/gen', 'vendor/a', 'deep/tmp', 'private']);
    expect(gitIgnored(root)('vendor')).toBe(true);
    expect(gitIgnored(join(root, 'src'))('gen')).toBe(true);
  });
});
