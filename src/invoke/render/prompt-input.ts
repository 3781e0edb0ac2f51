import type { ExpansionInput } from '../../prompt/expand.ts';
import type { ExpansionMode } from '../../prompt/expansion-mode.ts';
import type { PreparedSkill } from '../prepare-skill.ts';
import { type PromptHost, promptVariables } from './prompt-variables.ts';

/** What a caller says for the body to be filled in. */
export interface PromptRequest extends PromptHost {
  readonly args?: string | undefined;
  readonly mode: ExpansionMode;
}

/** What fills in this skill's body for somebody who has its files in `directory`. */
export function promptInput(skill: PreparedSkill, directory: string, request: PromptRequest): ExpansionInput {
  const { fields } = skill.details.report;
  // A hint, such as `[file] [format]`, declares as many arguments as it has words.
  const hinted = fields.argumentHint?.split(/\s+/).filter((word) => word !== '').length ?? 0;
  return {
    mode: request.mode,
    arguments: request.args,
    argumentNames: fields.arguments,
    declaredArguments: Math.max(fields.arguments.length, hinted),
    variables: promptVariables(skill.found.entry, fields.effort, directory, request, request.mode),
    baseDirectory: directory,
  };
}
