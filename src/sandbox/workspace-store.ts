import { z } from 'zod';
import { Pieces } from '../store/pieces.ts';

export const WORKSPACE_SCHEMA = `CREATE TABLE entry (
  path TEXT PRIMARY KEY, type TEXT NOT NULL, size INTEGER NOT NULL, mode INTEGER NOT NULL, mtime INTEGER NOT NULL,
  content INTEGER
) WITHOUT ROWID`;
/** Runs of earlier releases do not have it: none of their tools looked. */
export const SEEN_SCHEMA = 'CREATE TABLE seen (path TEXT PRIMARY KEY, digest TEXT NOT NULL) WITHOUT ROWID';

/** One row: a file or directory by its absolute path. `content` numbers the pieces of a file; `mtime` is Unix ms. */
const EntryRow = z.strictObject({
  path: z.string(),
  type: z.enum(['file', 'directory']),
  size: z.int().nonnegative(),
  mode: z.int().nonnegative(),
  mtime: z.number(),
  content: z.int().nullable(),
});
export type EntryRow = z.infer<typeof EntryRow>;

/** The files of a run as they are stored. Writes belong inside the transaction of the step that made them. */
export class WorkspaceStore {
  readonly #sql: SqlStorage;
  readonly #pieces: Pieces;
  /** Above every number in use when the entries were read: a file that only moves keeps its own meanwhile. */
  #next = 1;
  /** As they were read last; nobody else writes them. */
  #entries: readonly EntryRow[] | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#pieces = new Pieces(sql);
  }

  entries(): readonly EntryRow[] {
    if (this.#entries !== null) return this.#entries;
    const rows = this.#sql
      .exec('SELECT path, type, size, mode, mtime, content FROM entry ORDER BY path')
      .toArray();
    const entries = z.array(EntryRow).parse(rows);
    this.#next = 1 + entries.reduce((highest, entry) => Math.max(highest, entry.content ?? 0), 0);
    this.#entries = entries;
    return entries;
  }

  /** What is remembered may not be what is stored. */
  forget(): void {
    this.#entries = null;
  }

  read(content: number): Uint8Array {
    return this.#pieces.read(ownerOf(content));
  }

  /** Stores a file's bytes and answers the number under which they are read. */
  write(bytes: Uint8Array): number {
    const content = this.#next;
    this.#next += 1;
    this.#pieces.write(ownerOf(content), bytes);
    return content;
  }

  free(content: number): void {
    this.#pieces.remove(ownerOf(content));
  }

  put({ path, type, size, mode, mtime, content }: EntryRow): void {
    this.forget();
    this.#sql.exec(
      'INSERT OR REPLACE INTO entry (path, type, size, mode, mtime, content) VALUES (?, ?, ?, ?, ?, ?)',
      path,
      type,
      size,
      mode,
      mtime,
      content,
    );
  }

  /** The digest that a file had when it was seen, or null. */
  seen(path: string): string | null {
    const rows = this.#sql.exec<{ digest: string }>('SELECT digest FROM seen WHERE path = ?', path).toArray();
    return rows[0]?.digest ?? null;
  }

  see(path: string, digest: string): void {
    this.#sql.exec('INSERT OR REPLACE INTO seen (path, digest) VALUES (?, ?)', path, digest);
  }

  remove(path: string): void {
    this.forget();
    this.#sql.exec('DELETE FROM entry WHERE path = ?', path);
  }
}

function ownerOf(content: number): string {
  return `file:${content}`;
}
