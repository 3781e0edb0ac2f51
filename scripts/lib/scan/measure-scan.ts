import { digestOf } from '../../../src/core/digest.ts';
import { parseSkill, SKILL_FILE_NAME } from '../../../src/format/parse-skill.ts';
import { type ScannedFile, scanSkill } from '../../../src/scan/scan-skill.ts';

/** Processor time of one round over some skills, in milliseconds. */
export interface ScanCost {
  readonly parsing: number;
  readonly hashing: number;
  readonly scanning: number;
}

/** Parses every SKILL.md, hashes every file, and scans: the same skills, one after the other, in this process. */
export function measureScan(skills: readonly (readonly ScannedFile[])[]): ScanCost {
  const parsed = skills.map((files) => {
    const own = files.find(({ path }) => path === SKILL_FILE_NAME);
    return own ? () => parseSkill(own.bytes, 'skill', SKILL_FILE_NAME).skill : () => null;
  });
  const facts: ReturnType<(typeof parsed)[number]>[] = [];
  const parsing = timed(() => facts.push(...parsed.map((parse) => parse())));
  const hashing = timed(() => {
    for (const { bytes } of skills.flat()) digestOf(bytes);
  });
  const scanning = timed(() => {
    for (const [index, files] of skills.entries()) {
      const known = facts[index];
      if (known) scanSkill(files, known);
    }
  });
  return { parsing, hashing, scanning };
}

/** Processor time: other processes do not count. */
function timed(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
