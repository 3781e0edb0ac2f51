import type { RuleText } from '../rule.ts';
import type { Remark, ScannedFile, SkillFacts } from './check.ts';

const MISSING_FILE: RuleText = {
  id: 'missing-file',
  category: 'structure',
  severity: 'info',
  caution: false,
  version: 1,
  message: 'the instructions name a file of the skill that is not there',
  remediation: 'Add the file, or take the reference out: whoever makes up the file later is obeyed.',
};

export const MISSING_FILE_RULES: readonly RuleText[] = [MISSING_FILE];

/** A relative link, or a file in inline code below one of the folders that skills have. */
const REFERENCE =
  /\]\((?:\.\/)?([\w-][\w./-]{0,120}\.(?:md|txt|py|sh|js|ts|json|ya?ml))(?:#[^)\s]{0,80})?\)|`(?:\.\/)?((?:references?|scripts|assets|templates|resources)\/[\w./-]{1,120}\.\w{1,8})`/g;

/** Whether the files that a skill speaks of are among its own; one remark, for the first that is not. */
export function* checkMissingFiles(files: readonly ScannedFile[], { body }: SkillFacts): Generator<Remark> {
  const known = new Set(files.map(({ path }) => path));
  for (const match of body.matchAll(REFERENCE)) {
    const path = match[1] ?? match[2] ?? '';
    if (known.has(path) || path.includes('..')) continue;
    yield { rule: MISSING_FILE, path: 'SKILL.md', evidence: path };
    return;
  }
}
