import { LISTING_LIMITS } from '../core/limits.ts';
import { visibleName } from './visible-text.ts';

/** A tool as the APIs of models take it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly input_schema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, Property>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
}

interface Property {
  readonly type: 'string';
  readonly description: string;
  readonly enum?: readonly string[];
}

const RULES = `Starts a skill: instructions for one kind of task, which stay outside of the conversation until they are needed.

- When a listed skill fits what is asked, start it first, before any answer and before any other tool.
- Never say that a skill exists or would help without starting it.
- Do not start a skill that already runs, or whose instructions are already here: follow those instead.
- Use names exactly as they are listed or found by search. A name that is in neither is no skill.
- A mark behind a name, such as [community mcp:x], is not part of it: it says that others or an agent wrote the skill, and nobody here vouches for it.`;

/**
 * The tool that starts a skill. The names are part of its schema only where they are few and all of them are known: a
 * longer enum costs more than the listing that stands beside it.
 */
export function skillTool(names: readonly string[] | null): ToolDefinition {
  const known = names === null || !isSmall(names) ? null : names;
  return {
    name: 'Skill',
    description: RULES,
    input_schema: {
      type: 'object',
      properties: {
        skill: {
          type: 'string',
          description: 'Name of the skill.',
          ...(known === null ? {} : { enum: known }),
        },
        args: {
          type: 'string',
          description: 'What to pass to the skill, as it would be typed. Often nothing.',
        },
      },
      required: ['skill'],
      additionalProperties: false,
    },
  };
}

/** The tool that finds skills which the listing has no room for. */
export const SEARCH_TOOL: ToolDefinition = {
  name: 'search_skills',
  description:
    'Finds skills by what they are for. The listing may be shortened: search before you conclude that there is no skill for a task, then start what you found.',
  input_schema: {
    type: 'object',
    properties: { query: { type: 'string', description: 'A few words about the task.' } },
    required: ['query'],
    additionalProperties: false,
  },
};

/** Also, no name in an enum may look like something that it is not. */
function isSmall(names: readonly string[]): boolean {
  return (
    names.length > 0 &&
    names.length <= LISTING_LIMITS.enumNames &&
    JSON.stringify(names).length <= LISTING_LIMITS.enumCharacters &&
    names.every((name) => visibleName(name) === name)
  );
}
