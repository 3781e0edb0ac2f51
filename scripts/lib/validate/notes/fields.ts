import type { CodeNotes } from './code-note.ts';

export const FIELDS = {
  'name-missing': {
    means: 'The frontmatter has no name.',
    at: 'SKILL.md:1',
  },
  'name-invalid': {
    means: 'The name works here but breaks the rules of agentskills.io, so others may refuse the skill.',
    at: 'SKILL.md:2',
    also: ['name-differs-from-folder'],
  },
  'name-unusable': {
    means: 'The name cannot be shown or addressed.',
    at: 'SKILL.md:2',
  },
  'name-differs-from-folder': {
    means: 'The skill has another name than its folder.',
    at: 'SKILL.md:1',
  },
  'description-missing': {
    means: 'The frontmatter has no description, so the first paragraph or the name is shown instead.',
    at: 'SKILL.md:1',
  },
  'description-too-long': {
    means: 'The description has more than 1,024 characters; listings cut it.',
    at: 'SKILL.md:3:1',
  },
  'field-invalid': {
    means: 'A field has a value that it cannot have.',
    at: 'SKILL.md:4:1',
  },
  'patterns-unexpanded': {
    means: 'The braces in a list of patterns stand for more patterns than are kept.',
    at: 'SKILL.md:4:1',
  },
  'requirement-unclear': {
    means: 'A requirement does not say what kind of thing it names.',
    at: 'SKILL.md:7:7',
  },
  'requirement-invalid': {
    means: 'A requirement has a shape that cannot be read.',
    at: 'SKILL.md:7:13',
  },
  'hook-event-unknown': {
    means: 'A hook is bound to an event that does not exist.',
    at: 'SKILL.md:5:3',
  },
  'hook-member-unknown': {
    means: 'A hook has a member that hooks of its type do not have.',
    at: 'SKILL.md:10:11',
  },
  'hooks-invalid': {
    means: 'A hook has a wrong shape and is left out.',
    at: 'SKILL.md:8:11',
  },
} as const satisfies CodeNotes;
