import { attributeText, encloseTracked } from './enclose.ts';
import type { Substitution } from './expanded-text.ts';

/** A message for the host to add to its conversation. */
export interface Message {
  readonly role: 'user';
  readonly kind: 'skill_metadata' | 'skill_body' | 'skill_reattached' | 'skill_note';
  readonly text: string;
}

const LINE_BREAKING = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

export interface InlineMessages {
  readonly messages: readonly Message[];
  /** Where each stands in the text of the message `skill_body`. */
  readonly substitutions: readonly Substitution[];
  /** What that message wraps. */
  readonly content: string;
}

/**
 * What an inline invocation adds: first which skill was loaded with which arguments, then its body (already expanded)
 * under the folder it belongs to. Neither the name, the arguments nor the body can forge or leave a tag.
 */
export function inlineMessages(skill: {
  readonly name: string;
  readonly body: string;
  /** Of the body, in its order. */
  readonly substitutions: readonly Substitution[];
  readonly baseDirectory: string;
  readonly args: string | undefined;
}): InlineMessages {
  const given =
    skill.args === undefined || skill.args === '' ? '' : ` arguments="${attributeText(skill.args)}"`;
  const content = promptWithBaseDirectory(skill.baseDirectory, skill.body);
  const before = content.length - skill.body.length;
  const { text, positionOf } = encloseTracked(skill.name, content);
  return {
    messages: [
      {
        role: 'user',
        kind: 'skill_metadata',
        text: `<skill_loaded name="${attributeText(skill.name)}"${given}/>`,
      },
      { role: 'user', kind: 'skill_body', text },
    ],
    substitutions: skill.substitutions.map((each) => ({
      ...each,
      start: positionOf(before + each.start),
      end: positionOf(before + each.end),
    })),
    content,
  };
}

/** Stands in for instructions that are in the conversation, word for word. */
export function alreadyLoaded(name: string): Message {
  const text = `The instructions of the skill "${attributeText(name)}" are in this conversation already, unchanged: follow those.`;
  return { role: 'user', kind: 'skill_note', text };
}

/** The prompt of a forked run: the line about the folder, an empty line, the text. The folder stays on its line. */
export function promptWithBaseDirectory(directory: string, text: string): string {
  return `Base directory for this skill: ${directory.replace(LINE_BREAKING, ' ')}\n\n${text}`;
}
