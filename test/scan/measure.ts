import type { Finding, ScanResult } from '../../src/scan/finding.ts';
import { scanSkill } from '../../src/scan/scan-skill.ts';
import type { HostileSkill, LookAlike } from './fixtures/fixture.ts';
import { factsOf, filesOf } from './skills.ts';

/** `right`: a finding of the expected category, severity and file. `other`: one of that category. `missed`: none. */
export type Outcome = 'right' | 'other' | 'missed';

export function scanFixture({ files }: Pick<LookAlike, 'files'>): ScanResult {
  const { 'SKILL.md': skillFile } = files;
  if (typeof skillFile !== 'string') throw new Error('a fixture without a SKILL.md');
  return scanSkill(filesOf(files), factsOf(skillFile));
}

export function outcomeOf({ expected }: HostileSkill, findings: readonly Finding[]): Outcome {
  const ofCategory = findings.filter(({ category }) => category === expected.category);
  const right = ofCategory.some(
    ({ severity, path }) => severity === expected.severity && path === expected.path,
  );
  return right ? 'right' : ofCategory.length > 0 ? 'other' : 'missed';
}
