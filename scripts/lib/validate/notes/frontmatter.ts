import type { CodeNotes } from './code-note.ts';

export const FRONTMATTER = {
  'frontmatter-missing': {
    means: 'A SKILL.md does not begin with a line of three dashes, so all of it is instructions.',
    at: 'SKILL.md:1',
    also: ['name-missing', 'description-missing'],
  },
  'frontmatter-unclosed': {
    means: 'A frontmatter is begun and never ended, so all of the file is instructions.',
    at: 'SKILL.md:1',
    also: ['name-missing', 'description-missing'],
  },
  'frontmatter-too-large': {
    means: 'A frontmatter is larger than 16 KiB.',
    at: 'SKILL.md:2',
  },
  'frontmatter-too-deep': {
    means: 'Lists and maps of a frontmatter are nested more than 16 levels deep.',
    at: 'SKILL.md:2',
  },
  'frontmatter-not-a-map': {
    means: 'A frontmatter is a list or a text, and not a map of keys.',
    at: 'SKILL.md:2',
    also: ['name-missing', 'description-missing'],
  },
  'fence-spaces': {
    means: 'There are spaces behind the three dashes that begin or end the frontmatter.',
    at: 'SKILL.md:1',
  },
  'yaml-invalid': {
    means: 'The frontmatter is not YAML, even with quotes added.',
    at: 'SKILL.md:4',
  },
  'yaml-repaired': {
    means: 'A value needs quotes to be YAML; it was read as if it had them.',
    at: 'SKILL.md:3',
  },
  'yaml-indent': {
    means: 'A list or map in brackets is not indented enough; it was read as if it stood on one line.',
    at: 'SKILL.md:4',
  },
  'yaml-tag': {
    means: 'A value has a YAML tag.',
    at: 'SKILL.md:4:16',
  },
  'yaml-refused': {
    means: 'The frontmatter uses a part of YAML that goes beyond plain data.',
    at: 'SKILL.md:7:13',
  },
  'key-duplicate': {
    means: 'A key stands in the frontmatter twice.',
    at: 'SKILL.md:5:1',
  },
  'key-unknown': {
    means: 'A key of the frontmatter is none that a runtime is known to act on.',
    at: 'SKILL.md:4:1',
  },
  'diagnostics-more': {
    means: 'A SKILL.md has more faults than are listed.',
    at: 'SKILL.md:103',
    also: ['key-unknown'],
  },
} as const satisfies CodeNotes;
