import { describe, expect, it } from 'vitest';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { CollectedBlobs, skillText, treeOf } from './trees.ts';

const skill = skillText('a');
const LONG = `${'d'.repeat(200)}/${'e'.repeat(200)}/${'f'.repeat(200)}`;

/** Trees that are wrong without a disk; those that need one are in test/scripts/disk-tree.test.ts. */
const BAD: readonly {
  readonly what: string;
  readonly files: Readonly<Record<string, string>>;
  readonly codes: readonly string[];
  readonly skills: number;
}[] = [
  {
    what: 'files that differ by case',
    files: { 'a/SKILL.md': skill, 'a/README.md': 'x', 'a/Readme.md': 'y' },
    codes: ['a/Readme.md path-case'],
    skills: 1,
  },
  {
    what: 'files that differ by how an accent is written',
    files: { 'a/SKILL.md': skill, 'a/caf\u00e9.md': 'x', 'a/cafe\u0301.md': 'y' },
    codes: ['a/caf\u00e9.md path-case'],
    skills: 1,
  },
  {
    what: 'folders that differ by case',
    files: { 'A/SKILL.md': skill.replaceAll(' a', ' A'), 'a/SKILL.md': skill },
    codes: ['a/SKILL.md path-case', 'A/SKILL.md name-invalid'],
    skills: 2,
  },
  {
    what: 'a file whose path in the skill has over 512 bytes',
    files: { 'a/SKILL.md': skill, [`a/${LONG}/x`]: 'x' },
    codes: [`a/${LONG}/x path-unsafe`],
    skills: 1,
  },
  {
    what: 'a skill whose own path has over 512 bytes',
    files: { 'a/SKILL.md': skill, [`${LONG}/b/SKILL.md`]: skillText('b') },
    codes: [`${LONG}/b/SKILL.md path-unsafe`],
    skills: 1,
  },
];

describe('a bad tree', () => {
  it.each(BAD)('of $what loads with a remark', async ({ files, codes, skills }) => {
    const layer = await compileLayer('org', treeOf(files), new CollectedBlobs());
    expect(layer.diagnostics.map(({ path, code }) => `${path} ${code}`)).toEqual(codes);
    expect(layer.skills).toBe(skills);
  });
});
