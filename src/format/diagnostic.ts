import { z } from 'zod';
import { visibleCharacters } from '../core/visible-characters.ts';

/**
 * Everything that can be said about a source file. `error`: the skill (or the file) is not loaded; `warning`: it is, but
 * other runtimes may refuse it or the author meant something else; `info`: worth knowing.
 */
export const DIAGNOSTICS = {
  'file-unreadable': ['error', 'Check the permissions of the file, or leave it out with --ignore.'],
  'file-not-regular': [
    'error',
    'Only regular files and folders are read; remove it or leave it out with --ignore.',
  ],
  'file-too-large': ['error', 'Make the file smaller, or host it elsewhere and link to it.'],
  'file-changed': ['error', 'The file changed while it was read; build again when nothing writes to it.'],
  'path-unsafe': [
    'error',
    'Rename the file: plain segments, no backslash or control character, at most 512 bytes.',
  ],
  'symlink-outside': ['error', 'Copy the target into the tree; links out of it are never followed.'],
  'symlink-broken': ['warning', 'Remove the link or restore its target.'],
  'symlink-cycle': ['warning', 'Remove the link; the folder it leads back to is read once.'],
  'skill-file-encoding': ['error', 'Save the file as UTF-8.'],
  'skill-file-empty': ['error', 'Write a frontmatter with name and description, then the instructions.'],
  'skill-too-large': ['error', 'Split the skill or remove files: at most 512 files and 16 MiB.'],
  'frontmatter-missing': [
    'warning',
    'Begin the file with a line ---, then name and description, then a line ---.',
  ],
  'frontmatter-unclosed': ['warning', 'Close the frontmatter with a line --- at the start of a line.'],
  'frontmatter-too-large': ['error', 'Keep the frontmatter below 16 KiB; longer text belongs into the body.'],
  'frontmatter-too-deep': ['error', 'Nest at most 16 levels in the frontmatter.'],
  'frontmatter-not-a-map': ['warning', 'Write the frontmatter as lines of "key: value".'],
  'yaml-invalid': ['warning', 'Correct the YAML; what could be read line by line was kept.'],
  'yaml-repaired': ['warning', 'Put the value in double quotes, so that every YAML parser reads it.'],
  'yaml-indent': [
    'warning',
    'Indent every line of the value, its closing bracket too; YAML parsers refuse the file.',
  ],
  'yaml-tag': ['warning', 'Remove the tag and put text in quotes; strictyaml and MCP refuse the file.'],
  'yaml-refused': [
    'error',
    'Aliases, tags and directives are not accepted in frontmatter; write the values out.',
  ],
  'key-duplicate': ['warning', 'Remove one of the two; the last one counts.'],
  'key-unknown': ['info', 'The key is kept as it is; nothing acts on it.'],
  'name-missing': ['info', "Add a name; until then the folder's name is used."],
  'name-invalid': ['warning', 'Use 1-64 lower-case letters, digits and single hyphens (agentskills.io).'],
  'name-unusable': [
    'warning',
    "The name is empty, too long or has control characters; the folder's name is used.",
  ],
  'name-differs-from-folder': ['warning', 'Rename the folder or the skill: agentskills.io wants them equal.'],
  'description-missing': ['warning', 'Add a description that says what the skill does and when to use it.'],
  'description-too-long': ['warning', 'Keep the description below 1,024 characters.'],
  'field-invalid': ['warning', 'Correct the value; until then the field is ignored.'],
  'patterns-unexpanded': [
    'warning',
    'Write fewer alternatives in braces: at most 1,000 patterns and 64 KiB.',
  ],
  'requirement-unclear': [
    'info',
    'Say what kind of requirement it is: requires with env, bins, tools, mcp, config, platforms or skills.',
  ],
  'requirement-invalid': ['warning', 'Correct the requirement; until then it is not checked.'],
  'hook-event-unknown': ['warning', 'Correct the name of the event; nothing would ever run the hook.'],
  'hook-member-unknown': ['info', 'Correct or remove the member; hooks of this type do not have it.'],
  'hooks-invalid': ['warning', 'Correct the hook; the skill loads without it.'],
  'fence-spaces': [
    'info',
    'Remove the spaces behind the dashes; some runtimes find no frontmatter otherwise.',
  ],
  'byte-order-mark': ['info', 'Save the file without a byte order mark.'],
  'carriage-returns': ['info', 'Save the file with line feeds only.'],
  'diagnostics-more': ['info', 'Correct what is listed first; only so many remarks on one file are kept.'],
  'name-clash': ['warning', 'Rename one of the skills; the other is reachable by its qualified name.'],
  'skill-merged': ['info', 'The same skill lies in two places; one entry knows both.'],
  'description-required': [
    'error',
    'Add a description: the precedence in use does not load skills of this kind without one.',
  ],
  'path-case': ['warning', 'Rename one of the two: where case does not count, they are one file.'],
  'skill-misplaced': ['warning', 'Move it to ROOT/NAME/SKILL.md, or read the source with layout "tree".'],
  'skill-off': ['info', 'Switch it on in the sources file.'],
  'plugin-invalid': ['error', 'Correct the manifest; the rest of the source loads without it.'],
  'plugin-elsewhere': ['info', 'Clone or unpack the plugin and name its folder as a source of its own.'],
  'prompt-invalid': [
    'error',
    'Take the snapshot of the prompts again: server, and prompts with text messages.',
  ],
} as const satisfies Record<string, readonly ['error' | 'warning' | 'info', string]>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

const Severity = z.enum(['error', 'warning', 'info']);

/** One remark, with the place it is about, what is wrong and what to do. Lines and columns count from 1. */
export const Diagnostic = z.strictObject({
  severity: Severity,
  code: z.string(),
  path: z.string(),
  line: z.int().positive(),
  /** In UTF-16 code units; left out where the remark is about a whole line or file. */
  column: z.int().positive().optional(),
  message: z.string(),
  hint: z.string(),
});
export type Diagnostic = z.infer<typeof Diagnostic>;

export function diagnostic(
  code: DiagnosticCode,
  path: string,
  line: number,
  message: string,
  column?: number,
): Diagnostic {
  const [severity, hint] = DIAGNOSTICS[code];
  return { severity, code, path, line, ...(column === undefined ? {} : { column }), message, hint };
}

/** `path:line:column: severity code: message (hint)` in one line, which editors and CI logs turn into a link. */
export function formatDiagnostic(entry: Diagnostic): string {
  const place = entry.column === undefined ? entry.line : `${entry.line}:${entry.column}`;
  return visibleCharacters(
    `${entry.path}:${place}: ${entry.severity} ${entry.code}: ${entry.message} (${entry.hint})`,
  );
}
