import { fail } from '../core/result.ts';
import { type MountedSkill, Sandbox } from '../sandbox/sandbox.ts';
import type { WorkspaceStore } from '../sandbox/workspace-store.ts';
import type { BlobStore } from '../view/ports.ts';
import { type ToolCall, type ToolResult, unmade } from '../model/message.ts';
import { shownOutput } from './shown-output.ts';
import type { ToolGate } from './tool-gate.ts';
import type { ReadyCall } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

/** What a run lends to one call. */
export interface CallContext {
  readonly store: WorkspaceStore;
  readonly skill: MountedSkill;
  readonly blobs: Pick<BlobStore, 'readMany'>;
  readonly gate: ToolGate;
  /** The call's place in the journal: what is kept of it is named by this. */
  readonly step: number;
  /** What is left of the run's wall time. */
  readonly remainingMilliseconds: number;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
}

/** A call that was made. Its changes wait in `apply` for the transaction that completes the step. */
export interface ToolRun {
  readonly result: ToolResult;
  apply(): void;
}

/** A call before it is made. `refused` has its answer already; `ask` may run once somebody said yes. */
export type DecidedCall =
  | { readonly decision: 'refused'; readonly result: ToolResult }
  | {
      readonly decision: 'allow' | 'ask';
      readonly reason: string;
      readonly subject: string;
      readonly idempotent: boolean;
      readonly call: ReadyCall;
    };

/**
 * Decides about a call without making it. What is refused, unknown or malformed answers with the exit code that a shell has
 * for it, so that an engine reads one kind of answer.
 */
export async function decideCall(call: ToolCall, tools: Toolbox, gate: ToolGate): Promise<DecidedCall> {
  const tool = await tools.find(call.tool);
  if (tool === undefined) return notMade(unmade(`there is no tool ${call.tool}`, 127));
  const read = call.invalid === undefined ? tool.read(call.input) : fail(call.invalid);
  if (!read.ok) return notMade(unmade(`${call.tool} cannot read this input: ${read.error}`, 2));
  const { subject } = read.value;
  const { decision, reason } = gate(call.tool, subject);
  if (decision === 'deny') return notMade(unmade(reason));
  return { decision, reason, subject, idempotent: tool.idempotent, call: read.value };
}

/** Makes a call that was allowed. Rejects only where another attempt may succeed. */
export async function makeCall(call: ReadyCall, context: CallContext): Promise<ToolRun> {
  const { store, skill, blobs, gate, step, remainingMilliseconds, signal } = context;
  const sandbox = new Sandbox(store, skill, blobs);
  const output = await call.run({ sandbox, remainingMilliseconds, signal, gate });
  // Lost reads look like missing files to a tool: the step must not be kept, but tried again.
  if (sandbox.skillFs.failure !== null) throw sandbox.skillFs.failure;
  const over = sandbox.workspace.exceeded;
  const result = await shownOutput(output, sandbox, step);
  if (over) return withoutChanges({ ...result, limit: 'workspace_limit' });
  return { result, apply: () => sandbox.apply() };
}

/** A call that changed nothing: it was not made, or its changes are not kept. */
export function withoutChanges(result: ToolResult): ToolRun {
  return { result, apply: () => undefined };
}

function notMade(result: ToolResult): DecidedCall {
  return { decision: 'refused', result };
}
