import type { BlobStore } from '../view/ports.ts';
import type { StoredStart } from './journal.ts';
import type { ToolCall, ToolResult, ToolSpec } from '../model/message.ts';
import type { WorkspaceStore } from './workspace-store.ts';

export interface ToolContext {
  readonly start: StoredStart;
  readonly store: WorkspaceStore;
  readonly blobs: Pick<BlobStore, 'readMany'>;
  /** What is left of the run's wall time. */
  readonly remainingMilliseconds: number;
}

/** A call that was made. Its changes wait in `apply` for the transaction that completes the step. */
export interface ToolRun {
  readonly result: ToolResult;
  apply(): void;
}

export interface Tool {
  readonly name: string;
  spec(): Promise<ToolSpec>;
  /** What rules are matched against, for Bash the command; `null` for input that is not this tool's. */
  subject(input: ToolCall['input']): string | null;
  /** Runs a subject. Rejects only where another attempt may succeed. */
  run(subject: string, context: ToolContext): Promise<ToolRun>;
}

/** A call that changed nothing: it was not made, or its changes are not kept. */
export function withoutChanges(result: ToolResult): ToolRun {
  return { result, apply: () => undefined };
}
