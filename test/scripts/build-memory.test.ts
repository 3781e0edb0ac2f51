import {
  appendFileSync,
  chmodSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildBundle, buildSummary } from '../../scripts/lib/build-bundle.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';

let source = '';
let output = '';
beforeEach(() => {
  source = temporaryFolder({
    'a/SKILL.md': skillText('a'),
    'a/x.txt': 'x',
    'b/SKILL.md': '---\na: &x 1\nb: *x\n---\n',
  });
  output = temporaryFolder();
});

const build = (ignore: readonly string[] = [], layer = 'org') =>
  buildBundle([{ layer, directory: source }], output, ignore);

/** Whether a build wrote the bundle, and what it says it made. */
async function rebuilt(ignore: readonly string[] = [], layer = 'org') {
  utimesSync(join(output, 'bundle.json'), 1, 1);
  const { ms: _, ...summary } = buildSummary(await build(ignore, layer));
  return { wrote: statSync(join(output, 'bundle.json')).mtimeMs !== 1000, summary };
}

describe('a build of what was built before', () => {
  it('writes nothing and says the same', async () => {
    const { ms: _, ...first } = buildSummary(await build());
    expect(await rebuilt()).toEqual({ wrote: false, summary: first });
  });

  it('goes by content, not by time', async () => {
    await build();
    utimesSync(join(source, 'a/x.txt'), 5, 5);
    expect((await rebuilt()).wrote).toBe(false);
    const { atime, mtime } = statSync(join(source, 'a/x.txt'));
    writeFileSync(join(source, 'a/x.txt'), 'y');
    utimesSync(join(source, 'a/x.txt'), atime, mtime);
    expect((await rebuilt()).wrote).toBe(true);
  });

  it.each<[string, () => void]>([
    ['a file is added', () => writeFileSync(join(source, 'a/y.txt'), '')],
    ['a file is renamed', () => renameSync(join(source, 'a/x.txt'), join(source, 'a/z.txt'))],
    ['a file becomes executable', () => chmodSync(join(source, 'a/x.txt'), 0o755)],
    ['a remark comes', () => symlinkSync('nowhere', join(source, 'a/broken'))],
    ['the bundle is damaged', () => appendFileSync(join(output, 'blobs.pack'), 'x')],
    ['the memory is damaged', () => writeFileSync(join(output, 'build.json'), '{}')],
  ])('is made anew when %s', async (_, change) => {
    await build();
    change();
    expect((await rebuilt()).wrote).toBe(true);
    expect((await rebuilt()).wrote).toBe(false);
  });

  it('is made anew for other globs and for another layer', async () => {
    await build();
    expect((await rebuilt(['**/x.txt'])).wrote).toBe(true);
    expect((await rebuilt(['**/x.txt'], 'user:x')).wrote).toBe(true);
  });

  it('leaves the same bundle as one that remembers nothing', async () => {
    await build();
    writeFileSync(join(source, 'a/x.txt'), 'other');
    await build();
    const fresh = temporaryFolder();
    await buildBundle([{ layer: 'org', directory: source }], fresh, []);
    for (const file of ['bundle.json', 'blobs.pack', 'diagnostics.txt']) {
      expect(readFileSync(join(output, file))).toEqual(readFileSync(join(fresh, file)));
    }
  });
});
