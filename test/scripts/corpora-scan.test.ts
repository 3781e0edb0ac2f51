import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { diskTree } from '../../scripts/lib/disk-tree.ts';
import { type ScannedSkill, scanTarget } from '../../scripts/lib/scan/scan-target.ts';
import { type Judged, JUDGED } from '../scan/judged.ts';

/** Real skills by other people, where the workspace has them. Nothing in the project needs them. */
const CORPORA = resolve(import.meta.dirname, '../../../shared/corpora');
/** Of skills that people use every day: what more than this many are called says nothing any more. */
const MOST = { dangerous: 0.03, caution: 0.08 };

describe.skipIf(!existsSync(CORPORA))('a scan of real skills (skipped where the workspace has none)', () => {
  let skills: readonly ScannedSkill[] = [];
  let critical: readonly Pick<Judged, 'hash' | 'skill' | 'rule'>[] = [];

  beforeAll(async () => {
    ({ skills } = await scanTarget({ tree: diskTree(CORPORA), pathFromHere: (path) => path }, () => {}));
    critical = skills.flatMap(({ path, findings }) =>
      findings
        .filter(({ severity }) => severity === 'critical')
        .map(({ hash, rule }) => ({ hash, skill: path, rule })),
    );
  }, 120_000);

  it('has no critical finding that nobody judged', () => {
    const judged = new Set(JUDGED.map(({ hash }) => hash));
    expect(critical.filter(({ hash }) => !judged.has(hash))).toEqual([]);
  });

  it('has every finding that was judged, where it was', () => {
    const found = new Set(critical.map(({ hash, skill, rule }) => `${hash} ${skill} ${rule}`));
    expect(JUDGED.filter(({ hash, skill, rule }) => !found.has(`${hash} ${skill} ${rule}`))).toEqual([]);
  });

  it('alarms seldom, and looks at everything', () => {
    const share = (verdict: ScannedSkill['verdict']): number =>
      skills.filter((skill) => skill.verdict === verdict).length / skills.length;
    const [dangerous, caution] = [share('dangerous'), share('caution')];
    process.stdout.write(
      `\n${skills.length} real skills: ${(100 * dangerous).toFixed(2)} % dangerous, ${(100 * caution).toFixed(2)} % caution\n`,
    );
    expect(dangerous).toBeLessThanOrEqual(MOST.dangerous);
    expect(caution).toBeLessThanOrEqual(MOST.caution);
    expect(skills.filter(({ complete }) => !complete)).toEqual([]);
  });
});
