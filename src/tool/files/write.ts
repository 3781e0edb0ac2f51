import { z } from 'zod';
import { RUN_LIMITS } from '../../core/limits.ts';
import { FsError } from '../../sandbox/fs-basics.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { defineTool, failed, succeeded } from '../tool.ts';
import { absolute, FilePath } from './file-path.ts';

/** Makes a file, or puts another text into one that was read. */
export const writeTool = defineTool({
  name: 'Write',
  description:
    'Writes a text file, with the folders on the way. One that exists has to be read first; to change parts of it, use Edit.',
  input: z.strictObject({ file_path: FilePath, content: z.string() }),
  subject: ({ file_path }) => absolute(file_path),
  async run({ file_path, content }, { sandbox }) {
    const path = absolute(file_path);
    const bytes = new TextEncoder().encode(content);
    if (bytes.length > RUN_LIMITS.fileBytes) {
      return failed(
        `file_too_large: ${bytes.length} bytes are more than the ${RUN_LIMITS.fileBytes} of one call`,
      );
    }
    const before = await bytesBefore(sandbox, path);
    const objection = before === null ? null : unseen(sandbox, path, before);
    if (objection !== null) return failed(objection);
    await sandbox.write(path, bytes);
    sandbox.seen.note(path, bytes);
    return succeeded(`${before === null ? 'created' : 'replaced'} ${path} (${bytes.length} bytes)\n`);
  },
});

/** Why a file may not be written over: nobody looked at what is in it now. Null where it may. */
export function unseen(sandbox: Sandbox, path: string, bytes: Uint8Array): string | null {
  switch (sandbox.seen.stateOf(path, bytes)) {
    case 'unseen':
      return `file_unread: ${path} exists; read it before it is changed`;
    case 'changed':
      return `file_changed: ${path} has changed since it was read; read it again`;
    case 'seen':
      return null;
  }
}

async function bytesBefore(sandbox: Sandbox, path: string): Promise<Uint8Array | null> {
  try {
    return await sandbox.read(path);
  } catch (error) {
    if (error instanceof FsError && error.code === 'ENOENT') return null;
    throw error;
  }
}
