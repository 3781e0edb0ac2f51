import { byCodeUnit } from '../core/canonical-json.ts';
import { SCAN_LIMITS } from '../core/limits.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import type { Remark, ScannedFile, SkillFacts } from './checks/check.ts';
import { checkTools } from './checks/declared-tools.ts';
import { checkDescription } from './checks/description.ts';
import { checkFiles } from './checks/files.ts';
import { checkMissingFiles } from './checks/missing-files.ts';
import type { ScanResult } from './finding.ts';
import { type FileScan, scanFile } from './scan-file.ts';
import { keepWorst, verdictOf, type Weighed } from './severity.ts';
import { weighRemark } from './weigh.ts';

export type { ScannedFile, SkillFacts };

/** The version of the whole set of rules, raised with every change of what they find. */
export const RULES_VERSION = 2;

/**
 * Looks through a skill for what somebody should know before it is used. Never throws: what could not be looked at makes
 * the result incomplete. The same files give the same result anywhere.
 */
export function scanSkill(files: readonly ScannedFile[], facts: SkillFacts): ScanResult {
  const found: Weighed[] = [];
  let complete = true;
  try {
    for (const remark of remarksOn(files, facts)) found.push(weighRemark(facts.name, remark));
    for (const scan of scanFiles(files, facts)) {
      found.push(...scan.found);
      complete &&= scan.complete;
    }
  } catch {
    // A fault of ours must not make anything look safe, nor keep a skill from being compiled.
    complete = false;
  }
  return {
    rules: RULES_VERSION,
    verdict: verdictOf(found, complete),
    findings: keepWorst(found, SCAN_LIMITS.findings),
    complete,
  };
}

function* remarksOn(files: readonly ScannedFile[], facts: SkillFacts): Generator<Remark> {
  yield* checkFiles(files);
  yield* checkDescription(facts);
  yield* checkTools(files, facts);
  yield* checkMissingFiles(files, facts);
}

function* scanFiles(files: readonly ScannedFile[], facts: SkillFacts): Generator<FileScan> {
  let room: number = SCAN_LIMITS.textBytes;
  const order = files.toSorted(
    (left, right) =>
      Number(right.path === SKILL_FILE_NAME) - Number(left.path === SKILL_FILE_NAME) ||
      byCodeUnit(left.path, right.path),
  );
  for (const file of order) {
    const scan = scanFile(file, facts, room);
    room -= scan.bytes;
    yield scan;
  }
}
