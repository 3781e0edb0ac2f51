import { describe, expect, it } from 'vitest';
import { CatalogRoot, CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import { Revision } from '../../src/catalog/revision.ts';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { Report } from '../../src/compile/report.ts';
import type { SourceFile } from '../../src/compile/source-tree.ts';
import { digestOf } from '../../src/core/digest.ts';
import { diagnostic } from '../../src/format/diagnostic.ts';
import { CollectedBlobs, skillText, treeOf } from './trees.ts';

async function compile(files: Record<string, string | Uint8Array>) {
  const sink = new CollectedBlobs();
  const layer = await compileLayer('org', treeOf(files), sink);
  const root = CatalogRoot.parse(JSON.parse(sink.text(layer.catalog)));
  const entries = root.shards.flatMap(
    ({ digest }) => CatalogShard.parse(JSON.parse(sink.text(digest))).entries,
  );
  const filesOf = (name: string) => {
    const entry = entries.find((candidate) => candidate.name === name);
    return entry ? Revision.parse(JSON.parse(sink.text(entry.revision))).files.map(({ path }) => path) : null;
  };
  return {
    sink,
    layer,
    root,
    entries,
    filesOf,
    codes: layer.diagnostics.map((entry) => `${entry.path}:${entry.line} ${entry.code}`),
  };
}

describe('compileLayer', () => {
  it('makes a catalog, and a blob for every document that it names', async () => {
    const { sink, layer, entries } = await compile({
      'a/SKILL.md': skillText('a', 'version: 1.10\n'),
      'a/scripts/run.sh!': 'echo hi\n',
      'deep/er/b/SKILL.md': skillText('b'),
      'README.md': 'not a skill',
    });
    expect(entries.map(({ name, version, origins }) => [name, version, origins])).toEqual([
      ['a', '1.10', ['a']],
      ['b', null, ['deep/er/b']],
    ]);
    expect(layer).toMatchObject({
      skills: 2,
      files: 3,
      merged: 0,
      clashes: 0,
      notLoaded: [],
      diagnostics: [],
    });
    for (const [digest, { bytes }] of sink.blobs) expect(digestOf(bytes)).toBe(digest);
    for (const entry of entries) {
      const report = Report.parse(JSON.parse(sink.text(entry.report)));
      const revision = Revision.parse(JSON.parse(sink.text(entry.revision)));
      expect(report.revision).toBe(entry.revision);
      expect(revision.files.every((file) => sink.blobs.has(file.sha256))).toBe(true);
    }
    const hot = [...sink.blobs.values()]
      .filter(({ tier }) => tier === 'cold')
      .map(({ bytes }) => new TextDecoder().decode(bytes));
    expect(hot).toEqual(['echo hi\n']);
  });

  it('takes a skill inside a skill for both: a skill, and files of the outer one', async () => {
    const { filesOf, sink } = await compile({
      'outer/SKILL.md': skillText('outer'),
      'outer/inner/SKILL.md': skillText('inner'),
      'outer/inner/x.txt': 'x',
      'outer-not/x.txt': 'y',
    });
    expect(filesOf('outer')).toEqual(['SKILL.md', 'inner/SKILL.md', 'inner/x.txt']);
    expect(filesOf('inner')).toEqual(['SKILL.md', 'x.txt']);
    expect(sink.repeated).toBe(0);
  });

  it('stores equal bytes once and merges equal skills', async () => {
    const { entries, layer, codes } = await compile({
      'p/x/SKILL.md': skillText('x'),
      'q/x/SKILL.md': skillText('x'),
      'r/x/SKILL.md': skillText('x', '', 'Other.\n'),
    });
    expect(entries.map(({ name, origins }) => [name, origins])).toEqual([
      ['r:x', ['r/x']],
      ['x', ['p/x', 'q/x']],
    ]);
    expect(layer).toMatchObject({ skills: 2, merged: 1, clashes: 1 });
    expect(codes).toEqual(['r/x/SKILL.md:1 name-clash', 'q/x/SKILL.md:1 skill-merged']);
  });

  it('is the same for the same input, in any order', async () => {
    const files = { 'b/SKILL.md': skillText('b'), 'a/SKILL.md': skillText('a'), 'a/z': 'z', 'a/y': 'y' };
    const [first, second] = [
      await compile(files),
      await compile(Object.fromEntries(Object.entries(files).toReversed())),
    ];
    expect(second.layer).toEqual(first.layer);
    expect([...second.sink.blobs.keys()].toSorted()).toEqual([...first.sink.blobs.keys()].toSorted());
  });

  it('loads the others when one is bad, and says where', async () => {
    const { entries, layer, codes } = await compile({
      'good/SKILL.md': skillText('good'),
      'broken/SKILL.md': '---\nname: broken\ndescription: use when: x\n---\n',
      'binary/SKILL.md': new Uint8Array([0x2d, 0xff]),
      'huge/SKILL.md': new Uint8Array(1024 * 1024 + 1),
      'nameless/SKILL.md': '---\ndescription: y\n---\n',
      'silent/SKILL.md': '---\nname: silent\n---\n',
      'Bad Name/SKILL.md': '---\nname: Bad Name\ndescription: y\n---\n',
      'bom/SKILL.md': `\uFEFF${skillText('bom')}`,
      'crlf/SKILL.md': skillText('crlf').replaceAll('\n', '\r\n'),
      'elsewhere/SKILL.md': skillText('other-name'),
      'alias/SKILL.md': '---\nname: &a x\ndescription: *a\n---\n',
    });
    expect(entries.map(({ name }) => name)).toEqual([
      'Bad Name',
      'bom',
      'broken',
      'crlf',
      'good',
      'nameless',
      'other-name',
      'silent',
    ]);
    expect(layer.notLoaded).toEqual(['alias', 'binary', 'huge']);
    expect(codes).toEqual([
      'Bad Name/SKILL.md:2 name-invalid',
      'alias/SKILL.md:3 yaml-refused',
      'binary/SKILL.md:1 skill-file-encoding',
      'bom/SKILL.md:1 byte-order-mark',
      'broken/SKILL.md:3 yaml-repaired',
      'crlf/SKILL.md:1 carriage-returns',
      'elsewhere/SKILL.md:1 name-differs-from-folder',
      'huge/SKILL.md:1 file-too-large',
      'nameless/SKILL.md:1 name-missing',
      'silent/SKILL.md:1 description-missing',
    ]);
    expect(layer.diagnostics.every(({ hint }) => hint.length > 10)).toBe(true);
  });

  it('leaves out a file that cannot be part of a skill, and keeps the skill', async () => {
    const unreadable: SourceFile = {
      path: 'x/secret',
      size: 1,
      executable: false,
      read: async () => diagnostic('file-unreadable', 'x/secret', 1, 'cannot be read: EACCES'),
    };
    const tree = treeOf({
      'x/SKILL.md': skillText('x'),
      'x/big': new Uint8Array(8 * 1024 * 1024 + 1),
      'x/a\\b': 'x',
    });
    const sink = new CollectedBlobs();
    const layer = await compileLayer('org', { ...tree, files: [...tree.files, unreadable] }, sink);
    expect(layer.skills).toBe(1);
    expect(layer.diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['path-unsafe', 'x/a\\b'],
      ['file-too-large', 'x/big'],
      ['file-unreadable', 'x/secret'],
    ]);
  });

  it('does not load a skill of too many files', async () => {
    const files = Object.fromEntries(Array.from({ length: 512 }, (_, index) => [`x/f${index}`, 'f']));
    const { layer } = await compile({ 'x/SKILL.md': skillText('x'), ...files });
    expect(layer).toMatchObject({ skills: 0, notLoaded: ['x'] });
    expect(layer.diagnostics.map(({ code }) => code)).toEqual(['skill-too-large']);
  });
});
