import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkTarget } from '../../scripts/lib/validate/check-target.ts';
import { CODE_NOTES } from '../../scripts/lib/validate/code-notes.ts';
import { codesOf } from '../../scripts/lib/validate/codes.ts';
import { openTarget } from '../../scripts/lib/validate/target.ts';
import { type DiagnosticCode, DIAGNOSTICS } from '../../src/format/diagnostic.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';
import { PROJECT } from './validate-command.ts';

/** What makes the fault in a folder with one good skill, `good`, and where it is reported. */
interface DiskFault {
  readonly at: string;
  readonly make: (root: string) => void;
  /** Done once the tree has been listed, before its files are read. */
  readonly meanwhile?: (root: string) => void;
}

const FAULTS: { readonly [Code in DiagnosticCode]?: DiskFault } = {
  'file-unreadable': {
    at: 'good/notes.md',
    make: (root) => writeFileSync(join(root, 'good/notes.md'), 'x'),
    meanwhile: (root) => rmSync(join(root, 'good/notes.md')),
  },
  'file-changed': {
    at: 'good/notes.md',
    make: (root) => writeFileSync(join(root, 'good/notes.md'), 'x'),
    meanwhile: (root) => writeFileSync(join(root, 'good/notes.md'), 'longer'),
  },
  'file-not-regular': {
    at: 'good/pipe',
    make: (root) => execFileSync('mkfifo', [join(root, 'good/pipe')]),
  },
  'file-too-large': {
    at: 'large/SKILL.md',
    make: (root) => {
      mkdirSync(join(root, 'large'));
      writeFileSync(join(root, 'large/SKILL.md'), skillText('large') + 'x'.repeat(1024 * 1024));
    },
  },
  'path-unsafe': {
    at: 'good/a\\b.md',
    make: (root) => writeFileSync(join(root, 'good/a\\b.md'), 'x'),
  },
  'symlink-outside': {
    at: 'good/hosts',
    make: (root) => symlinkSync('/etc/hosts', join(root, 'good/hosts')),
  },
  'symlink-broken': {
    at: 'good/guide.md',
    make: (root) => symlinkSync('nowhere.md', join(root, 'good/guide.md')),
  },
  'symlink-cycle': {
    at: 'good/up',
    make: (root) => symlinkSync('..', join(root, 'good/up')),
  },
  'skill-too-large': {
    at: 'good/SKILL.md',
    make: (root) => {
      for (let index = 0; index < 512; index += 1) writeFileSync(join(root, `good/${index}.txt`), '');
    },
  },
};

const unshown: DiagnosticCode[] = [];
const elsewhere: { code: DiagnosticCode; file: string }[] = [];
for (const code of codesOf(DIAGNOSTICS)) {
  const note = CODE_NOTES[code];
  if (!('noExample' in note)) continue;
  if (note.testedIn === undefined) unshown.push(code);
  else elsewhere.push({ code, file: note.testedIn });
}

describe('faults that the sample cannot hold', () => {
  it('are all made here', () => {
    expect(codesOf(FAULTS).toSorted()).toEqual(unshown.toSorted());
  });

  it.each(elsewhere)('$code is made in $file', ({ code, file }) => {
    expect(readFileSync(join(PROJECT, file), 'utf8')).toContain(code);
  });

  it.each(unshown)('%s is reported where it is, and nothing else', async (code) => {
    const fault = FAULTS[code];
    const root = temporaryFolder({ 'good/SKILL.md': skillText('good') });
    fault?.make(root);
    const target = openTarget(root);
    fault?.meanwhile?.(root);
    const { diagnostics } = target ? await checkTarget(target) : { diagnostics: [] };
    expect(
      diagnostics.map((entry) => `${entry.path.slice(-(fault?.at.length ?? 0))}:${entry.line} ${entry.code}`),
    ).toEqual([`${fault?.at}:1 ${code}`]);
  });
});
