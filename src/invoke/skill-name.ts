import { isSkillUrl, readSkillUrl } from '../catalog/skill-url.ts';
import type { Problem } from '../core/problem.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';

/** What stands before the names of skills of the deployment's registry, whatever else has such a name. */
export const REMOTE_PREFIX = '_canonical_';

/** True for `/name`, as people write it who mean a command. */
export function hasSlash(text: string): boolean {
  return text.trimStart().startsWith('/');
}

/**
 * The name as people and models write it: white space around it and one leading `/` are not part of it, and the `skill://`
 * URL of a skill, or of its SKILL.md, is its name.
 */
export function normaliseSkillName(text: string): Result<string> {
  const trimmed = text.trim();
  const name = (trimmed.startsWith('/') ? trimmed.slice(1) : trimmed).trim();
  if (isSkillUrl(name)) return nameInUrl(name);
  return name === '' ? fail(invalidName('no skill is named')) : ok(name);
}

/** True for what names a skill of the registry, in any spelling. */
export function namesRemote(text: string): boolean {
  const name = normaliseSkillName(text);
  return name.ok && name.value.startsWith(REMOTE_PREFIX);
}

/** The skill that a `skill://` URL is of; `skill_invalid_name` where it points outside of one, or at another of its files. */
export function nameInUrl(url: string): Result<string> {
  const read = readSkillUrl(url);
  if (read === null) return fail(invalidName('that is no skill:// URL of a skill'));
  if (read.path === null || read.path === SKILL_FILE_NAME) return ok(read.name);
  return fail(invalidName('that is the skill:// URL of a file, and not of a skill'));
}

function invalidName(detail: string): Problem {
  return {
    code: 'skill_invalid_name',
    errorCode: 1,
    detail,
    hint: 'Give the name of a skill, such as "verify" or "skill://verify".',
  };
}
