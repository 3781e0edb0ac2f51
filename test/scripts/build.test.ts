import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildBundle, buildSummary } from '../../scripts/lib/build-bundle.ts';
import { openBundle } from '../../scripts/lib/bundle.ts';
import { digestOf } from '../../src/core/digest.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
/** Real skills by other people, where the workspace has them. Nothing in the project needs them. */
const CORPORA = resolve(PROJECT, '../shared/corpora');

const Summary = z.strictObject({
  skills: z.int(),
  files: z.int(),
  blobs: z.int(),
  bytes: z.int(),
  duplicateBytesSaved: z.int(),
  merged: z.int(),
  clashes: z.int(),
  notLoaded: z.int(),
  diagnostics: z.strictObject({ error: z.int(), warning: z.int(), info: z.int() }),
  catalogs: z.record(z.string(), z.string()),
  ms: z.int(),
});

function bundleBytes(directory: string): string[] {
  return ['bundle.json', 'blobs.pack', 'diagnostics.txt'].map((file) =>
    digestOf(readFileSync(join(directory, file))),
  );
}

describe('the build', () => {
  it('writes the same bytes for the same input, and reads them back', async () => {
    const source = temporaryFolder({
      'a/SKILL.md': skillText('a'),
      'a/x.bin': new Uint8Array([0, 255]),
      'b/SKILL.md': skillText('b'),
      'b/x.bin': new Uint8Array([0, 255]),
    });
    const [first, second] = [temporaryFolder(), temporaryFolder()];
    const result = await buildBundle([{ layer: 'org', directory: source }], first, []);
    await buildBundle([{ layer: 'org', directory: source }], second, []);
    expect(bundleBytes(second)).toEqual(bundleBytes(first));
    expect(result.duplicateBytesSaved).toBe(2);
    const bundle = openBundle(first);
    expect(bundle.blobs).toHaveLength(result.blobs);
    for (const { digest, size } of bundle.blobs) expect(bundle.read(digest)).toHaveLength(size);
    bundle.close();
  });

  it('refuses a bundle that was damaged', async () => {
    const source = temporaryFolder({ 'a/SKILL.md': skillText('a') });
    const output = temporaryFolder();
    await buildBundle([{ layer: 'org', directory: source }], output, []);
    const pack = readFileSync(join(output, 'blobs.pack'));
    pack[3] = (pack[3] ?? 0) ^ 1;
    writeFileSync(join(output, 'blobs.pack'), pack);
    const bundle = openBundle(output);
    const [first] = bundle.blobs;
    expect(() => first && bundle.read(first.digest)).toThrow(/damaged/);
    bundle.close();
  });

  it('says which blobs each layer needs', async () => {
    const [org, user] = [
      temporaryFolder({ 'a/SKILL.md': skillText('a') }),
      temporaryFolder({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') }),
    ];
    const output = temporaryFolder();
    await buildBundle(
      [
        { layer: 'org', directory: org },
        { layer: 'user:x', directory: user },
      ],
      output,
      [],
    );
    const bundle = openBundle(output);
    const [first, second] = bundle.layers;
    const needs = (positions: readonly number[] = []) =>
      positions.map((position) => bundle.blobs[position]?.digest);
    expect(needs(first?.blobs)).toContain(first?.catalog);
    expect(needs(second?.blobs)).toContain(second?.catalog);
    expect(needs(second?.blobs)).not.toContain(first?.catalog);
    bundle.close();
  });
});

describe('npm run build', () => {
  const build = (...words: string[]) =>
    spawnSync(process.execPath, ['scripts/build.ts', ...words], { cwd: PROJECT, encoding: 'utf8' });

  it('prints one JSON object, and nothing else, on standard output', () => {
    const source = temporaryFolder({
      'a/SKILL.md': skillText('a'),
      'b/SKILL.md': '---\na: &x 1\nb: *x\n---\n',
    });
    const result = build('--json', '--out', temporaryFolder(), '--source', `org=${source}`, '--no-bundled');
    const summary = Summary.parse(JSON.parse(result.stdout));
    expect(summary).toMatchObject({
      skills: 1,
      notLoaded: 1,
      merged: 0,
      clashes: 0,
      diagnostics: { error: 1, warning: 0, info: 0 },
    });
    expect(Object.keys(summary.catalogs)).toEqual(['org']);
    expect(result.stderr).toMatch(/^org b\/SKILL\.md:3:4: error yaml-refused: .+ \(.+\)\n$/);
    expect(result.status).toBe(0);
  });

  it('compiles the bundled skills without being told', () => {
    const summary = Summary.parse(JSON.parse(build('--json', '--out', temporaryFolder()).stdout));
    expect(Object.keys(summary.catalogs)).toEqual(['bundled']);
    expect(summary.skills).toBeGreaterThan(0);
  });

  it.each([
    [['--source', 'nowhere'], /write LAYER=DIR/],
    [['--source', 'team:x=.'], /write LAYER=DIR/],
    [['--source', 'org=/no/such/folder'], /no folder/],
    [['--source', 'org=test', '--source', 'org=src'], /two sources/],
  ])('refuses %j with what to do', (words, message) => {
    const result = build(...words);
    expect(result.stderr).toMatch(message);
    expect(result.status).toBe(2);
  });

  it('fails with --strict when something did not load', () => {
    const source = temporaryFolder({ 'b/SKILL.md': '' });
    expect(build('--strict', '--out', temporaryFolder(), '--source', `org=${source}`).status).toBe(1);
  });
});

describe.skipIf(!existsSync(CORPORA))(
  'the build over real skills (skipped where the workspace has none)',
  () => {
    it('loads every SKILL.md, twice the same', async () => {
      const expected = Number(
        execFileSync('sh', ['-c', 'find . -name SKILL.md | wc -l'], { cwd: CORPORA, encoding: 'utf8' }),
      );
      const [first, second] = [temporaryFolder(), temporaryFolder()];
      const result = await buildBundle([{ layer: 'org', directory: CORPORA }], first, []);
      await buildBundle([{ layer: 'org', directory: CORPORA }], second, []);
      expect(bundleBytes(second)).toEqual(bundleBytes(first));
      const summary = Summary.parse(buildSummary(result));
      // The corpora have 2,223 SKILL.md files; a skill that equals another is merged with it.
      expect(summary.skills + summary.merged + summary.notLoaded).toBe(expected);
      expect(summary.notLoaded).toBe(0);
      expect(summary.diagnostics.error).toBe(0);
    }, 120_000);
  },
);
