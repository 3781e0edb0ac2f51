import type { Layer } from '../catalog/layers.ts';
import type { Digest } from '../core/digest.ts';
import type { Result } from '../core/result.ts';

/** Whose run it is: a token bound to layers reads only runs of the same bounds. */
export interface RunReader {
  readonly organisation: string;
  readonly boundTo: readonly Layer[] | null;
}

/** One page of a run's files in the order of their paths, relative to the workspace, with sizes in bytes. */
export interface RunFilePage {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Give it back as `cursor=` for the next page; null at the end. */
  readonly next: string | null;
}

export interface RunFile {
  readonly digest: Digest;
  /** UTF-8 without a NUL near its beginning. */
  readonly text: boolean;
  readonly body: ReadableStream<Uint8Array>;
}

/** The files of a run's workspace as they are after its last finished step. `run_unknown` as for the run itself. */
export interface RunFiles {
  list(reader: RunReader, run: string, after: string, limit: number): Promise<Result<RunFilePage>>;
  /** `not_found` for a path that is no file of it. */
  read(reader: RunReader, run: string, path: string): Promise<Result<RunFile>>;
}
