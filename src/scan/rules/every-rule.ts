import { TOOL_RULES } from '../checks/declared-tools.ts';
import { DESCRIPTION_RULES } from '../checks/description.ts';
import { FILE_RULES } from '../checks/files.ts';
import { MISSING_FILE_RULES } from '../checks/missing-files.ts';
import type { RuleText } from '../rule.ts';
import { PATTERN_RULES } from './all-rules.ts';

/** Every rule there is, for those who list them: patterns, and checks of a whole skill. */
export const EVERY_RULE: readonly RuleText[] = [
  ...PATTERN_RULES,
  ...FILE_RULES,
  ...DESCRIPTION_RULES,
  ...TOOL_RULES,
  ...MISSING_FILE_RULES,
];
