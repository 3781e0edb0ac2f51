import { RUN_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import { FsError } from './fs-basics.ts';
import type { EntryRow, WorkspaceStore } from './workspace-store.ts';

/** Where a run may write. Only files below the first one are handed back to the caller. */
export const WORKSPACE_ROOT = '/workspace';
export const TEMPORARY_ROOT = '/tmp';

/** A file or directory. A file's bytes are stored under a number, or new and still in memory. */
export type Node =
  | {
      readonly type: 'directory';
      readonly size: 0;
      readonly mode: number;
      readonly mtime: number;
      readonly body: null;
    }
  | {
      readonly type: 'file';
      readonly size: number;
      readonly mode: number;
      readonly mtime: number;
      readonly body: number | Uint8Array;
    };

/**
 * The files of a run with the changes of one step on top. Reads see the changes; the store sees them only in `apply`,
 * inside the transaction that completes the step. Dropping the object drops the changes, so a killed step can run again.
 */
export class Workspace {
  readonly #store: WorkspaceStore;
  readonly #nodes = new Map<string, Node>();
  readonly #stored = new Map<string, number>();
  readonly #touched = new Set<string>();
  #bytes = 0;
  #exceeded = false;

  constructor(store: WorkspaceStore) {
    this.#store = store;
    this.discard();
  }

  /** Takes back everything since the last step: the files are again as they are stored. */
  discard(): void {
    this.#nodes.clear();
    this.#stored.clear();
    this.#touched.clear();
    this.#bytes = 0;
    this.#exceeded = false;
    for (const row of this.#store.entries()) {
      this.#nodes.set(row.path, nodeOf(row));
      if (row.content !== null) this.#stored.set(row.path, row.content);
      this.#bytes += row.size;
    }
  }

  /** A write was refused because the workspace would have grown over its bounds. */
  get exceeded(): boolean {
    return this.#exceeded;
  }

  /** For one more file of so many bytes, with the folder that it is in. */
  hasRoomFor(bytes: number): boolean {
    return (
      !this.#exceeded &&
      this.#bytes + bytes <= RUN_LIMITS.workspaceBytes &&
      this.#nodes.size + 2 <= RUN_LIMITS.workspaceFiles
    );
  }

  node(path: string): Node | undefined {
    return this.#nodes.get(path);
  }

  paths(): string[] {
    return [...this.#nodes.keys()];
  }

  childrenOf(directory: string): string[] {
    const prefix = `${directory}/`;
    return this.paths().filter((path) => path.startsWith(prefix) && !path.includes('/', prefix.length));
  }

  bytesOf(node: Node): Uint8Array {
    return typeof node.body === 'number' ? this.#store.read(node.body) : (node.body ?? new Uint8Array());
  }

  /** @throws FsError `ENOSPC` over the workspace's bounds, `ENAMETOOLONG` for a path that is too long to keep. */
  put(path: string, node: Node): void {
    const before = this.#nodes.get(path);
    const bytes = this.#bytes + node.size - (before?.size ?? 0);
    const count = this.#nodes.size + (before === undefined ? 1 : 0);
    if (new TextEncoder().encode(path).length > SKILL_LIMITS.pathBytes)
      throw new FsError('ENAMETOOLONG', 'open', path);
    if ((bytes > this.#bytes && bytes > RUN_LIMITS.workspaceBytes) || count > RUN_LIMITS.workspaceFiles) {
      this.#exceeded = true;
      throw new FsError('ENOSPC', 'write', path);
    }
    this.#bytes = bytes;
    this.#nodes.set(path, node);
    this.#touched.add(path);
  }

  remove(path: string): void {
    this.#bytes -= this.#nodes.get(path)?.size ?? 0;
    this.#nodes.delete(path);
    this.#touched.add(path);
  }

  /** Writes the changes to the store. Bytes that only moved to another path are not written again. */
  apply(): void {
    const kept = new Set([...this.#nodes.values()].map((node) => node.body));
    for (const path of this.#touched) {
      const before = this.#stored.get(path);
      if (before !== undefined && !kept.has(before)) this.#store.free(before);
    }
    for (const path of this.#touched) {
      const node = this.#nodes.get(path);
      if (node === undefined) this.#store.remove(path);
      else this.#store.put(this.#rowOf(path, node));
    }
    this.#touched.clear();
  }

  #rowOf(path: string, { body, ...meta }: Node): EntryRow {
    return { path, ...meta, content: body instanceof Uint8Array ? this.#store.write(body) : body };
  }
}

function nodeOf({ type, size, mode, mtime, content }: EntryRow): Node {
  return type === 'file'
    ? { type, size, mode, mtime, body: content ?? new Uint8Array() }
    : { type, size: 0, mode, mtime, body: null };
}

export function newFile(bytes: Uint8Array, mode = 0o644, mtime = Date.now()): Node {
  return { type: 'file', size: bytes.length, mode, mtime, body: bytes };
}

export function newDirectory(mtime = Date.now()): Node {
  return { type: 'directory', size: 0, mode: 0o755, mtime, body: null };
}
