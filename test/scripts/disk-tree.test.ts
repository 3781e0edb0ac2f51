import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { diskTree } from '../../scripts/lib/disk-tree.ts';
import { temporaryFolder } from './temporary.ts';

const remarks = (tree: ReturnType<typeof diskTree>) =>
  tree.diagnostics.map(({ path, code }) => `${path} ${code}`);
const paths = (tree: ReturnType<typeof diskTree>) => tree.files.map(({ path }) => path);

describe('diskTree', () => {
  it('lists files in path order, without repositories and installed packages', () => {
    const root = temporaryFolder({
      'b/x': '',
      'a/SKILL.md': '',
      '.claude/skills/c/SKILL.md': '',
      '.git/config': '',
      'node_modules/p/SKILL.md': '',
    });
    expect(paths(diskTree(root))).toEqual(['.claude/skills/c/SKILL.md', 'a/SKILL.md', 'b/x']);
  });

  it('leaves out what the person who builds ignores', () => {
    const root = temporaryFolder({ 'a/SKILL.md': '', 'a/draft.md': '', 'drafts/b/SKILL.md': '' });
    expect(paths(diskTree(root, { ignore: ['drafts', '**/draft.md'] }))).toEqual(['a/SKILL.md']);
  });

  it('knows which files are executable', () => {
    const root = temporaryFolder({ 'run.sh': 'x', 'read.md': 'y' });
    chmodSync(join(root, 'run.sh'), 0o755);
    expect(diskTree(root).files.map(({ executable }) => executable)).toEqual([false, true]);
  });

  it('follows links that stay inside, and no others', () => {
    const outside = temporaryFolder({ secret: 'x' });
    const root = temporaryFolder({ 'shared/guide.md': 'guide', 'a/SKILL.md': '' });
    symlinkSync('../shared', join(root, 'a/references'));
    symlinkSync('../shared/guide.md', join(root, 'a/guide.md'));
    symlinkSync(join(outside, 'secret'), join(root, 'a/secret'));
    symlinkSync(outside, join(root, 'out'));
    symlinkSync('nowhere', join(root, 'a/broken'));
    symlinkSync('..', join(root, 'a/up'));
    const tree = diskTree(root);
    expect(paths(tree)).toEqual(['a/SKILL.md', 'a/guide.md', 'a/references/guide.md', 'shared/guide.md']);
    expect(remarks(tree)).toEqual([
      'a/broken symlink-broken',
      'a/secret symlink-outside',
      'a/up symlink-cycle',
      'out symlink-outside',
    ]);
  });

  it('reports what is neither file nor folder, and a folder called SKILL.md', () => {
    const root = temporaryFolder({ 'a/x': '' });
    execFileSync('mkfifo', [join(root, 'a/pipe')]);
    mkdirSync(join(root, 'b/SKILL.md'), { recursive: true });
    expect(remarks(diskTree(root))).toEqual(['a/pipe file-not-regular', 'b/SKILL.md file-not-regular']);
  });

  it('says which file went away or changed while it was read', async () => {
    const root = temporaryFolder({ gone: 'x', grown: 'x', kept: 'x' });
    const tree = diskTree(root);
    rmSync(join(root, 'gone'));
    appendFileSync(join(root, 'grown'), 'y');
    writeFileSync(join(root, 'kept'), 'z');
    const read = await Promise.all(tree.files.map((file) => file.read()));
    expect(
      read.map((result) => (result instanceof Uint8Array ? new TextDecoder().decode(result) : result.code)),
    ).toEqual(['file-unreadable', 'file-changed', 'z']);
  });
});
