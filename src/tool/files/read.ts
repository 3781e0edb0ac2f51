import { z } from 'zod';
import { RUN_LIMITS } from '../../core/limits.ts';
import { defineTool, failed, succeeded } from '../tool.ts';
import { absolute, FilePath } from './file-path.ts';
import { linesOf, shownLine } from './lines.ts';
import { textOf } from '../../core/text-bytes.ts';

/** Room for the note behind the lines. */
const NOTE_CHARACTERS = 200;

/** Lines of a text, each behind its number and a tab. */
export const readTool = defineTool({
  name: 'Read',
  description:
    'Shows the lines of a text file with their numbers. A long file is shown in parts: say with offset and limit which.',
  input: z.strictObject({
    file_path: FilePath,
    offset: z.int().min(1).default(1).describe('The first line to show.'),
    limit: z.int().min(1).max(RUN_LIMITS.readLines).default(RUN_LIMITS.readLines),
  }),
  subject: ({ file_path }) => absolute(file_path),
  async run({ file_path, offset, limit }, { sandbox }) {
    const path = absolute(file_path);
    const bytes = await sandbox.read(path);
    const text = textOf(bytes);
    if (text === null) return failed(`file_binary: ${path} has ${bytes.length} bytes that are no text`);
    const lines = linesOf(text);
    sandbox.seen.note(path, bytes);
    if (lines.length === 0) return succeeded(`[${path} is empty]\n`);
    if (offset > lines.length) return failed(`line_unknown: ${path} has ${lines.length} lines`);
    const shown = fitting(lines.slice(offset - 1, offset - 1 + limit), offset);
    const next = offset + shown.length;
    const note =
      next > lines.length
        ? ''
        : `[lines ${offset} to ${next - 1} of ${lines.length}; go on with offset ${next}]\n`;
    return succeeded(`${shown.join('')}${note}`);
  },
});

/** As many of the lines as there is room for, at least one. */
function fitting(lines: readonly string[], first: number): string[] {
  let room = RUN_LIMITS.toolOutputCharacters - NOTE_CHARACTERS;
  const numbered = lines.map(
    (line, index) => `${first + index}\t${shownLine(line, RUN_LIMITS.lineCharacters)}\n`,
  );
  const end = numbered.findIndex((line) => (room -= line.length) < 0);
  return end === -1 ? numbered : numbered.slice(0, Math.max(1, end));
}
