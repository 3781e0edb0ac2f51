import type { CodeNotes } from './code-note.ts';

export const NAMING = {
  'name-clash': {
    means: 'Two different skills of one layer have the same name.',
    at: 'second/twice-named/SKILL.md:1',
  },
  'skill-merged': {
    means: 'A folder holds the very same skill as another one.',
    at: 'second/merged/SKILL.md:1',
  },
} as const satisfies CodeNotes;
