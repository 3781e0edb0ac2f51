import type { CodeNotes } from './code-note.ts';

const NO_LAYOUT = 'The validation command reads folders of skills; layouts and choices belong to the build.';

export const SOURCES = {
  'path-case': {
    means: 'Two files of a skill have names that differ only by case or by how an accent is written.',
    noExample: 'Systems where case does not count cannot check it out.',
    testedIn: 'test/compile/bad-trees.test.ts',
  },
  'skill-misplaced': {
    means: 'A SKILL.md lies where its layout does not look, and is not loaded.',
    noExample: NO_LAYOUT,
    testedIn: 'test/compile/layouts.test.ts',
  },
  'skill-off': {
    means: 'The sources file left a skill out: ignored, not included, or switched off.',
    noExample: NO_LAYOUT,
    testedIn: 'test/compile/compile-sources.test.ts',
  },
  'description-required': {
    means: 'The precedence in use wants a description that the skill does not have.',
    noExample: NO_LAYOUT,
    testedIn: 'test/compile/compile-sources.test.ts',
  },
  'plugin-invalid': {
    means: 'The manifest of a plugin or a marketplace is missing or wrong, or names what is not there.',
    noExample: NO_LAYOUT,
    testedIn: 'test/compile/plugins.test.ts',
  },
  'plugin-elsewhere': {
    means: 'A marketplace names a plugin that lies in another repository or archive.',
    noExample: NO_LAYOUT,
    testedIn: 'test/compile/plugins.test.ts',
  },
  'prompt-invalid': {
    means: 'A snapshot of MCP prompts is wrong, or a prompt has parts that are no text.',
    noExample: NO_LAYOUT,
    testedIn: 'test/compile/mcp-prompts.test.ts',
  },
} as const satisfies CodeNotes;
