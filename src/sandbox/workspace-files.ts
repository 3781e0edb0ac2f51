import { byCodeUnit } from '../core/canonical-json.ts';
import { digestOf } from '../core/digest.ts';
import { isText } from '../core/text-bytes.ts';
import type { RunFile, RunFilePage } from '../invoke/runs/run-files.ts';
import type { EntryRow, WorkspaceStore } from './workspace-store.ts';
import { WORKSPACE_ROOT } from './workspace.ts';

const PREFIX = `${WORKSPACE_ROOT}/`;

/** The stored files of a workspace, one page of them. */
export function pageFiles(store: WorkspaceStore, after: string, limit: number): RunFilePage {
  const files = filesOf(store)
    .map(({ path, size }) => ({ path: path.slice(PREFIX.length), size }))
    .filter(({ path }) => path > after)
    .toSorted((left, right) => byCodeUnit(left.path, right.path));
  const page = files.slice(0, limit);
  return { files: page, next: files.length > limit ? (page.at(-1)?.path ?? null) : null };
}

/** One of them, or null. It is a stream because one that fills the workspace is too large for an answer over RPC. */
export function openFile(store: WorkspaceStore, path: string): RunFile | null {
  const entry = filesOf(store).find((each) => each.path === PREFIX + path);
  if (entry === undefined) return null;
  const bytes = entry.content === null ? new Uint8Array() : store.read(entry.content);
  return { digest: digestOf(bytes), text: isText(bytes), body: streamOf(bytes) };
}

function filesOf(store: WorkspaceStore): EntryRow[] {
  return store.entries().filter(({ type, path }) => type === 'file' && path.startsWith(PREFIX));
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream();
}
