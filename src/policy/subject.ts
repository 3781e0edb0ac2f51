import { type ReadCall, readCall, readSkill } from './tool-call.ts';

/** What is asked about: the use of a skill, or one call of a tool. */
export type Subject =
  | {
      readonly kind: 'skill';
      readonly name: string;
      readonly qualifiedName?: string;
      readonly args?: string;
      readonly trigger: 'model' | 'user';
    }
  | { readonly kind: 'tool'; readonly tool: string; readonly input: string };

/** What the catalog says of the skill, as far as decisions need it. */
export interface SkillFacts {
  readonly name: string;
  readonly layer: string;
  readonly revision: string;
  readonly disableModelInvocation: boolean;
  readonly userInvocable: boolean;
  /** From `unsafeProperties`. */
  readonly unsafeProperties: readonly string[];
}

/** A skill goes by every name it has, so that a deny of one of them cannot be walked around by another. */
export function readSubject(subject: Subject, skill: SkillFacts | null): ReadCall {
  if (subject.kind === 'tool') return readCall(subject);
  const known = skill === null ? [] : [skill.name, `${skill.layer}/${skill.name}`];
  const names = [subject.name, subject.qualifiedName, ...known].filter((name) => name !== undefined);
  return readSkill(names, subject.args ?? '');
}
