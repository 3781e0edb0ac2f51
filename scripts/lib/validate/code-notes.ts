import type { DiagnosticCode } from '../../../src/format/diagnostic.ts';
import type { CodeNote } from './notes/code-note.ts';
import { FIELDS } from './notes/fields.ts';
import { FILES } from './notes/files.ts';
import { FRONTMATTER } from './notes/frontmatter.ts';
import { NAMING } from './notes/naming.ts';
import { SOURCES } from './notes/sources.ts';

/** The chapters of the page. */
export const CHAPTERS = {
  'Files and folders': FILES,
  'The frontmatter as a text': FRONTMATTER,
  'What the frontmatter says': FIELDS,
  'Skills beside each other': NAMING,
  'Where skills come from': SOURCES,
} as const;

/** Every code has a note: a code without one does not compile. */
export const CODE_NOTES: Readonly<Record<DiagnosticCode, CodeNote>> = {
  ...FILES,
  ...FRONTMATTER,
  ...FIELDS,
  ...NAMING,
  ...SOURCES,
};
