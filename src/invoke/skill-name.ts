import { fail, ok, type Result } from '../core/result.ts';

/** True for `/name`, as people write it who mean a command. */
export function hasSlash(text: string): boolean {
  return text.trimStart().startsWith('/');
}

/** The name as people and models write it: white space around it and one leading `/` are not part of it. */
export function normaliseSkillName(text: string): Result<string> {
  const trimmed = text.trim();
  const name = (trimmed.startsWith('/') ? trimmed.slice(1) : trimmed).trim();
  if (name !== '') return ok(name);
  return fail({
    code: 'skill_invalid_name',
    errorCode: 1,
    detail: 'no skill is named',
    hint: 'Give the name of a skill, such as "verify".',
  });
}
