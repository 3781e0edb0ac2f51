import type { SkillFields } from '../format/skill-fields.ts';
import type { ScanResult } from './finding.ts';

/** The version of the whole set of rules, raised with every change of what they find. */
const RULES_VERSION = 1;

export interface ScannedFile {
  /** Below the skill's folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/** What parsing the SKILL.md gave. */
export interface SkillFacts {
  readonly name: string;
  readonly fields: SkillFields;
  readonly body: string;
}

/**
 * Looks through a skill for what somebody should know before it is used. Never throws: what could not be looked at makes
 * the result incomplete. The same files give the same result anywhere.
 */
export function scanSkill(_files: readonly ScannedFile[], _facts: SkillFacts): ScanResult {
  return { rules: RULES_VERSION, verdict: 'caution', findings: [], complete: false };
}
