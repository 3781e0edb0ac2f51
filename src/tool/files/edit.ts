import { z } from 'zod';
import { RUN_LIMITS } from '../../core/limits.ts';
import { defineTool, failed, succeeded } from '../tool.ts';
import { absolute, FilePath } from './file-path.ts';
import { textOf } from '../../core/text-bytes.ts';
import { unseen } from './write.ts';

/** Puts one text in the place of another that is in the file exactly so. */
export const editTool = defineTool({
  name: 'Edit',
  description:
    'Replaces text in a file that was read. old_string has to be in it exactly as given, and only once unless replace_all is set.',
  input: z.strictObject({
    file_path: FilePath,
    old_string: z.string().min(1),
    new_string: z.string(),
    replace_all: z.boolean().default(false),
  }),
  subject: ({ file_path }) => absolute(file_path),
  async run({ file_path, old_string, new_string, replace_all }, { sandbox }) {
    const path = absolute(file_path);
    const before = await sandbox.read(path);
    const objection = unseen(sandbox, path, before);
    if (objection !== null) return failed(objection);
    const text = textOf(before);
    if (text === null) return failed(`file_binary: ${path} is no text`);
    if (old_string === new_string) return failed('nothing_to_change: both texts are the same');
    const [old, replacement] = asWritten(text, old_string, new_string);
    const places = placesOf(old, text);
    if (places === 0) return failed(`text_unknown: old_string is nowhere in ${path}`);
    if (places > 1 && !replace_all) {
      return failed(
        `text_ambiguous: old_string is in ${places} places of ${path}; give more around it, or set replace_all`,
      );
    }
    if (text.length + places * (replacement.length - old.length) > RUN_LIMITS.editedBytes)
      return failed(`file_too_large: more than ${RUN_LIMITS.editedBytes} characters`);
    const bytes = new TextEncoder().encode(text.replaceAll(old, () => replacement));
    await sandbox.write(path, bytes);
    sandbox.seen.note(path, bytes);
    const line = text.slice(0, text.indexOf(old)).split('\n').length;
    return succeeded(`replaced in ${path}: ${places === 1 ? `line ${line}` : `${places} places`}\n`);
  },
});

/** How often a text is in another, one behind the other. */
function placesOf(text: string, whole: string): number {
  let places = 0;
  for (let at = whole.indexOf(text); at !== -1; at = whole.indexOf(text, at + text.length)) places += 1;
  return places;
}

/** In a file whose lines end as in Windows, a text of several lines with plain ends is meant with its ends. */
function asWritten(text: string, old: string, replacement: string): [old: string, replacement: string] {
  const windows = old.includes('\n') && !old.includes('\r') && text.includes('\r\n') && !text.includes(old);
  if (!windows) return [old, replacement];
  return [old.replaceAll('\n', '\r\n'), replacement.replaceAll(/\r?\n/g, '\r\n')];
}
