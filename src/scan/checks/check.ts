import type { SkillFields } from '../../format/fields/skill-fields.ts';
import type { Severity } from '../finding.ts';
import type { RuleText } from '../rule.ts';

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

/** What a check of the whole skill found: not a place in a text, but something about a file or the skill. */
export interface Remark {
  readonly rule: RuleText;
  /** Less than the rule's own, where the check knows better. */
  readonly severity?: Severity;
  readonly path: string;
  readonly evidence: string;
}
