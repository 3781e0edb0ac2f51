import type { z } from 'zod';
import { SOURCE_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';
import { type Diagnostic, diagnostic, type DiagnosticCode } from '../format/diagnostic.ts';
import { type Positioned, readPositioned } from './positioned-document.ts';
import type { SourceFile } from './source-tree.ts';

/** Reads a JSON file of a tree by its schema; what is wrong with it comes with path and line. */
export async function readManifest<Schema extends z.ZodType>(
  file: SourceFile,
  schema: Schema,
  code: DiagnosticCode,
  limit: number = SOURCE_LIMITS.manifestBytes,
): Promise<Result<Positioned<z.infer<Schema>>, Diagnostic[]>> {
  if (file.size > limit)
    return fail([
      diagnostic('file-too-large', file.path, 1, `the file has ${file.size} bytes, more than ${limit}`),
    ]);
  const bytes = await file.read();
  if (!(bytes instanceof Uint8Array)) return fail([bytes]);
  const read = readPositioned(new TextDecoder().decode(bytes), schema);
  if (read.ok) return ok(read.value);
  return fail(read.error.map(({ line, message }) => diagnostic(code, file.path, line, message)));
}
