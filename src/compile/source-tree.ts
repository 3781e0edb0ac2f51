import type { Diagnostic } from '../format/diagnostic.ts';

/** A file that can be read once it is needed. `path` is relative to the tree, with `/`. */
export interface SourceFile {
  readonly path: string;
  readonly size: number;
  readonly executable: boolean;
  /** The bytes, or a diagnostic of why there are none. */
  read(): Promise<Uint8Array | Diagnostic>;
}

/** A tree of files from anywhere: a disk, an archive, a request. Its own remarks come with it. */
export interface SourceTree {
  readonly files: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}
