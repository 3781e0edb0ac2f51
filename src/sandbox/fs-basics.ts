import { Buffer } from 'node:buffer';
import type { BufferEncoding, FileContent, FsStat, IFileSystem } from 'just-bash/browser';

type ErrorCode =
  | 'EEXIST'
  | 'EINVAL'
  | 'EISDIR'
  | 'ENAMETOOLONG'
  | 'ENOENT'
  | 'ENOSPC'
  | 'ENOTDIR'
  | 'ENOTEMPTY'
  | 'EPERM'
  | 'EROFS';

const MEANING: Readonly<Record<ErrorCode, string>> = {
  EEXIST: 'file already exists',
  EINVAL: 'invalid argument',
  EISDIR: 'illegal operation on a directory',
  ENAMETOOLONG: 'file name too long',
  ENOENT: 'no such file or directory',
  ENOSPC: 'no space left on device',
  ENOTDIR: 'not a directory',
  ENOTEMPTY: 'directory not empty',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system',
};

/** An error as just-bash's commands know them: they look for the code in the message. */
export class FsError extends Error {
  override readonly name = 'FsError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, operation: string, path: string) {
    super(`${code}: ${MEANING[code]}, ${operation} '${path}'`);
    this.code = code;
  }
}

type ReadOptions = Parameters<IFileSystem['readFile']>[1];

/** Bytes as a command asked for them: UTF-8 unless it names an encoding. */
export function decoded(bytes: Uint8Array, options?: ReadOptions): string {
  const encoding: BufferEncoding = (typeof options === 'string' ? options : options?.encoding) ?? 'utf8';
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}

export function encoded(content: FileContent, options?: ReadOptions): Uint8Array {
  if (typeof content !== 'string') return content.slice();
  const encoding: BufferEncoding = (typeof options === 'string' ? options : options?.encoding) ?? 'utf8';
  return new Uint8Array(Buffer.from(content, encoding));
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/** A path made absolute against a directory, without `.`, `..`, doubled or trailing slashes. */
export function resolved(base: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${base}/${path}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

export function statOf(
  file: { type: 'file' | 'directory'; size: number; mode: number; mtime: number },
  identity: string,
): FsStat {
  return {
    isFile: file.type === 'file',
    isDirectory: file.type === 'directory',
    isSymbolicLink: false,
    mode: file.mode,
    size: file.size,
    mtime: new Date(file.mtime),
    identity,
  };
}
