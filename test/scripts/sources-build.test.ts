import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CatalogRoot, CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import { openBundle } from '../../scripts/lib/bundle.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** Runs the build; every entry as `layer kind name listing`. */
function build(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const output = temporaryFolder();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['scripts/build.ts', '--json', '--out', output, '--no-bundled', ...words],
    { cwd: PROJECT, encoding: 'utf8', env: { ...process.env, ...environment } },
  );
  if (status !== 0) return { status, stderr, entries: [], gates: {}, remarks: '' };
  const bundle = openBundle(output);
  const text = (digest: `sha256:${string}`) => JSON.parse(new TextDecoder().decode(bundle.read(digest)));
  const roots = bundle.layers.map(({ layer, catalog }) => ({
    layer,
    root: CatalogRoot.parse(text(catalog)),
  }));
  const entries = roots.flatMap(({ layer, root }) =>
    root.shards
      .flatMap(({ digest }) => CatalogShard.parse(text(digest)).entries)
      .map(({ name, kind, listing, origins }) => `${layer} ${kind} ${name} ${listing} ${origins.join(',')}`),
  );
  bundle.close();
  const gates = Object.assign({}, ...roots.map(({ root }) => root.gates));
  return { status, stderr, entries, gates, remarks: readFileSync(join(output, 'diagnostics.txt'), 'utf8') };
}

describe('npm run build -- --sources', () => {
  const folder = () =>
    temporaryFolder({
      'ours/deploy/SKILL.md': skillText('deploy'),
      'ours/beta/SKILL.md': skillText('beta'),
      'ours/drafts/idea/SKILL.md': skillText('idea'),
      'ours/misc/SKILL.md': skillText('other'),
      'theirs/deploy/SKILL.md': skillText('deploy', '', 'Theirs.\n'),
      'theirs/extra/SKILL.md': skillText('extra'),
      'switched-off/SKILL.md': skillText('switched-off'),
      'skilledge.yaml': `
version: 1
sources:
  - layer: org
    path: theirs
    trust: community
    include: [de*]
  - layer: org
    path: ours
    ignore: [drafts, other]
  - layer: user:x
    path: switched-off
    enabled: false
skills:
  deploy: manual
  org/beta: { flag: beta }
`,
    });

  it('reads the sources, in their order, and does with each skill what is said', () => {
    const file = join(folder(), 'skilledge.yaml');
    const { entries, gates, remarks } = build(['--sources', file]);
    expect(entries).toEqual([
      'org skill beta auto ours/beta',
      'org skill deploy manual ours/deploy',
      'org skill theirs:deploy manual theirs/deploy',
    ]);
    expect(gates).toEqual({ beta: 'beta' });
    expect(remarks).toContain('theirs/extra/SKILL.md:1: info skill-off: "extra" is not among the included');
    expect(remarks).toContain('ours/misc/SKILL.md:1: info skill-off: "other" is ignored');
  });

  it('opens for everybody what waits for a flag that is given', () => {
    const { entries, gates } = build(['--sources', join(folder(), 'skilledge.yaml'), '--flag', 'beta']);
    expect(entries).toContain('org skill beta auto ours/beta');
    expect(gates).toEqual({});
  });

  it('switches bundled skills too', () => {
    const root = folder();
    writeFileSync(
      join(root, 'b.yaml'),
      'version: 1\nsources: [{ layer: bundled, path: ours }]\nskills: { bundled/deploy: off, beta: name-only }\n',
    );
    expect(build(['--sources', join(root, 'b.yaml')]).entries).toEqual([
      'bundled skill beta name-only beta',
      'bundled skill idea auto drafts/idea',
      'bundled skill other auto misc',
    ]);
  });

  it('compiles again when only what is said changes', () => {
    const root = folder();
    const output = temporaryFolder();
    const run = (text: string) => {
      writeFileSync(join(root, 'c.yaml'), `version: 1\nsources: [{ layer: org, path: ours }]\n${text}`);
      const words = ['scripts/build.ts', '--json', '--no-bundled', '--out', output];
      const result = spawnSync(process.execPath, [...words, '--sources', join(root, 'c.yaml')], {
        cwd: PROJECT,
        encoding: 'utf8',
      });
      return JSON.parse(result.stdout).skills;
    };
    expect([run(''), run(''), run('skills: { deploy: off }\n'), run('')]).toEqual([4, 4, 3, 4]);
  });

  it('refuses a file that is wrong, with every line', () => {
    const root = temporaryFolder({ 'x.yaml': 'version: 1\nflags: 3\nnope: 1\n' });
    const { status, stderr } = build(['--sources', join(root, 'x.yaml')]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/x\.yaml:2: flags: .+\n.*x\.yaml:3: Unrecognized key/);
  });
});

describe('npm run build -- --discover', () => {
  it('finds what an agent there would find', () => {
    const root = temporaryFolder({
      'home/.agents/skills/shared/SKILL.md': skillText('shared'),
      'home/.agents/skills/mine/SKILL.md': skillText('mine'),
      'home/.claude/skills/named/SKILL.md': skillText('otherwise'),
      'home/repo/.git/HEAD': '',
      'home/repo/.gitignore': 'out\n.claude\n',
      'home/repo/.claude/skills/x/SKILL.md': skillText('x'),
      'home/repo/web/.claude/skills/x/SKILL.md': skillText('x', '', 'Of web.\n'),
      'home/repo/web/.claude/commands/go.md': 'Go.\n',
      'home/repo/web/ui/.claude/skills/y/SKILL.md': skillText('y'),
      'home/repo/web/out/.claude/skills/built/SKILL.md': skillText('built'),
      'home/repo/web/src/SKILL.md': skillText('no-skill'),
    });
    symlinkSync('../../.agents/skills/shared', join(root, 'home/.claude/skills/shared'));
    const { entries } = build(['--discover', join(root, 'home/repo/web')], {
      HOME: join(root, 'home'),
      CODEX_HOME: join(root, 'none'),
    });
    const here = entries.filter((entry) => !entry.startsWith('org '));
    expect(here.map((entry) => entry.replace(/^user:\S+/, 'user'))).toEqual([
      'user skill mine auto ~/.agents/skills/mine',
      'user skill named auto ~/.claude/skills/named',
      'user skill shared auto ~/.claude/skills/shared,~/.agents/skills/shared',
      'project:repo skill .claude/skills:x auto .claude/skills/x',
      'project:repo command go auto web/.claude/commands/go.md',
      'project:repo skill x auto web/.claude/skills/x',
      'project:repo skill y conditional web/ui/.claude/skills/y',
    ]);
  });

  it('refuses a folder that is not there, and a precedence that nobody knows', () => {
    expect(build(['--discover', '/no/such/folder']).stderr).toMatch(/--discover: no folder/);
    expect(build(['--precedence', 'mine']).stderr).toMatch(/write one of skilledge/);
  });
});
