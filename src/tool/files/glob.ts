import { z } from 'zod';
import { RUN_LIMITS } from '../../core/limits.ts';
import { defineTool, failed, succeeded } from '../tool.ts';
import { absolute, FilePath } from './file-path.ts';
import { matchFiles } from './match-files.ts';

/** Paths of files by their names. */
export const globTool = defineTool({
  name: 'Glob',
  description:
    'Lists files whose path matches a pattern such as **/*.md or src/*.{ts,js}, below /workspace or another folder.',
  input: z.strictObject({ pattern: z.string().min(1), path: FilePath.default('/workspace') }),
  subject: ({ path }) => absolute(path),
  async run({ pattern, path }, { sandbox }) {
    const root = absolute(path);
    const matches = matchFiles(pattern);
    if (!matches.ok) return failed(matches.error);
    const files = await sandbox.files(root);
    const found = files.filter((file) => matches.value(relativeTo(root, file.path)));
    const shown = found.slice(0, RUN_LIMITS.globResults).map((file) => `${file.path}\n`);
    const more = found.length - shown.length;
    if (found.length === 0) return succeeded('[no file matches]\n');
    return succeeded(`${shown.join('')}${more > 0 ? `[and ${more} more]\n` : ''}`);
  },
});

/** A file's path below the folder that is searched, or its name where the file itself is. */
export function relativeTo(root: string, path: string): string {
  return path === root ? path.slice(path.lastIndexOf('/') + 1) : path.slice(root.length + 1);
}
