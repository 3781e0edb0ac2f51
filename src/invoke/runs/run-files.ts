import type { Digest } from '../../core/digest.ts';

/** One page of a run's files in the order of their paths, relative to the workspace, with sizes in bytes. */
export interface RunFilePage {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Give it back as `cursor=` for the next page; null at the end. */
  readonly next: string | null;
}

/** One of them, to be read once. */
export interface RunFile {
  readonly digest: Digest;
  /** UTF-8 without a NUL near its beginning. */
  readonly text: boolean;
  readonly body: ReadableStream<Uint8Array>;
}
