import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { skillText } from '../compile/trees.ts';

const ROOT = resolve(import.meta.dirname, '../..');

function listing(...words: readonly string[]): { status: number | null; output: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/listing.ts', ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, output: stdout, errors: stderr };
}

describe('npm run listing', () => {
  it('prints the listing, what it used, and a bar for each state', () => {
    const { status, output } = listing('--source', 'bundled=skills', '--context-window', '200000');
    expect(status).toBe(0);
    expect(output).toMatch(/^- [a-z-]+: \S/);
    expect(output).toMatch(
      /^\d+ of 8000 characters \(\d+\.\d %\) for a window of 200000 tokens, \d+ skills$/m,
    );
    expect(
      output.match(/^(?:full|shortened|name only|omitted|unlisted|shadowed) +[█·]{40} +\d+ +\d+\.\d %$/gm),
    ).toHaveLength(6);
  });

  it('prints figures for five windows, none above its budget', () => {
    const { output } = listing('--source', 'skills', '--table');
    const rows = output
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.trim().split(/ +/).map(Number));
    expect(rows.map(([window, budget]) => [window, budget])).toEqual([
      [8_000, 320],
      [32_000, 1_280],
      [128_000, 5_120],
      [200_000, 8_000],
      [1_000_000, 40_000],
    ]);
    for (const [, budget = 0, used = 0] of rows) expect(used).toBeLessThanOrEqual(budget);
  });

  it('writes other formats and profiles', () => {
    expect(listing('--source', 'skills', '--format', 'xml').output).toMatch(/^<available_skills>\n<skill>/);
    expect(
      listing('--source', 'skills', '--profile', 'codex', '--context-window', '200000').output,
    ).toContain('of 4000 tokens');
    expect(listing('--source', 'skills', '--unit', 'counted', '--context-window', '20000').output).toMatch(
      /^\d+ of 200 tokens of o200k_base \(/m,
    );
  });

  it('takes a platform by any of its names, and a path as people write it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'skilledge-listing-'));
    for (const [name, more] of [
      ['mac', 'platforms: [macOS]'],
      ['web', 'paths: web/**'],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'SKILL.md'), skillText(name, `${more}\n`));
    }
    const { output } = listing('--source', folder, '--platform', 'Darwin', '--path', './web/a.ts');
    expect(output).toContain('- mac: Does mac.\n- web: Does web.\n');
    rmSync(folder, { recursive: true });
  });

  it.each([
    [[], 'nothing to list'],
    [['--source', 'nowhere'], 'no folder nowhere'],
    [['--source', 'skills', '--source', 'org=skills'], 'the layer org has two sources'],
    [['--source', 'skills', '--context-window', '0'], 'not a number of tokens'],
    [['--source', 'skills', '--format', 'pdf'], 'not one of text, xml, reminder'],
    [['--source', 'skills', '--profile', 'x'], 'not one of skilledge'],
    [['--source', 'skills', '--unit', 'words'], 'not one of characters, tokens, counted'],
    [['--source', 'skills', '--unit', 'counted', '--format', 'xml'], 'not in the format xml'],
    [['--source', 'skills', '--unit', 'counted', '--profile', 'codex'], 'the profile codex has its own'],
    [['--nonsense'], 'Unknown option'],
  ])('refuses %j', (words, message) => {
    const { status, errors } = listing(...words);
    expect([status, errors.includes(message)]).toEqual([2, true]);
  });
});
