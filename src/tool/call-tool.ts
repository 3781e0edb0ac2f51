import { fail } from '../core/result.ts';
import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { type MountedSkill, Sandbox } from '../sandbox/sandbox.ts';
import type { WorkspaceStore } from '../sandbox/workspace-store.ts';
import type { BlobStore } from '../view/ports.ts';
import type { ToolCall, ToolResult } from '../model/message.ts';
import type { ToolGate } from './tool-gate.ts';
import type { ReadyCall, ToolOutput } from './tool.ts';
import type { Toolbox } from './toolbox.ts';

/** What a run lends to one call. */
export interface CallContext {
  readonly store: WorkspaceStore;
  readonly skill: MountedSkill;
  readonly blobs: Pick<BlobStore, 'readMany'>;
  readonly gate: ToolGate;
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
  if (tool === undefined) return refused(`there is no tool ${call.tool}`, 127);
  const read = call.invalid === undefined ? tool.read(call.input) : fail(call.invalid);
  if (!read.ok) return refused(`${call.tool} cannot read this input: ${read.error}`, 2);
  const { subject } = read.value;
  const { decision, reason } = gate(call.tool, subject);
  if (decision === 'deny') return refused(reason, 126);
  return { decision, reason, subject, idempotent: tool.idempotent, call: read.value };
}

/** Makes a call that was allowed. Rejects only where another attempt may succeed. */
export async function makeCall(call: ReadyCall, context: CallContext): Promise<ToolRun> {
  const { store, skill, blobs, gate, remainingMilliseconds, signal } = context;
  const sandbox = new Sandbox(store, skill, blobs);
  const output = await call.run({ sandbox, remainingMilliseconds, signal, gate });
  // Lost reads look like missing files to a tool: the step must not be kept, but tried again.
  if (sandbox.skillFs.failure !== null) throw sandbox.skillFs.failure;
  const result = shown(output);
  if (sandbox.workspace.exceeded) return withoutChanges({ ...result, limit: 'workspace_limit' });
  return { result, apply: () => sandbox.apply() };
}

/** A call that changed nothing: it was not made, or its changes are not kept. */
export function withoutChanges(result: ToolResult): ToolRun {
  return { result, apply: () => undefined };
}

function shown({ stdout, stderr, exitCode }: ToolOutput): ToolResult {
  const limit = RUN_LIMITS.toolOutputCharacters;
  return {
    stdout: cutText(stdout, limit - Math.min(stderr.length, limit / 4)),
    stderr: cutText(stderr, limit / 4),
    exitCode,
    refused: false,
  };
}

function refused(reason: string, exitCode: number): DecidedCall {
  const result = { stdout: '', stderr: `${reason}\n`, exitCode, refused: exitCode === 126 };
  return { decision: 'refused', result };
}
