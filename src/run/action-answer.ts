import { canonicalJson } from '../core/canonical-json.ts';
import { cutText } from '../core/cut-text.ts';
import { digestOf } from '../core/digest.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { ActionAnswer } from '../invoke/runs/run-contract.ts';
import type { BlobStore } from '../view/ports.ts';
import { Sandbox } from '../sandbox/sandbox.ts';
import type { WorkspaceStore } from '../sandbox/workspace-store.ts';
import { shownOutput } from '../tool/shown-output.ts';
import type { ToolOutput } from '../tool/tool.ts';
import { mountOf } from './mount-of.ts';
import type { WaitAnswer } from './outcome.ts';
import type { StoredStart } from './stored-start.ts';

/** An answer as the journal has it, and what it adds to the workspace. */
export interface ReadAnswer {
  readonly answer: WaitAnswer;
  apply(): void;
}

/** Where the output of a step can be kept. */
export interface OutputPlace {
  readonly start: StoredStart;
  readonly store: WorkspaceStore;
  readonly blobs: Pick<BlobStore, 'readMany'>;
  readonly step: number;
}

/** What somebody outside answered. An output that is too long for a model is kept like that of any other tool. */
export async function readAnswer(given: ActionAnswer, place: OutputPlace): Promise<ReadAnswer> {
  if (given.kind === 'approval') {
    const answer: WaitAnswer = { for: 'approval', approved: given.approve, by: given.by.label };
    return { answer, apply: () => undefined };
  }
  const { result, apply } = await keptOutput(outputOf(given), place);
  return { answer: { for: 'tool_call', result, given: digestOfAnswer(given) }, apply };
}

/** An output as a model is shown it; `apply` keeps all of it where that is not all. */
export async function keptOutput(output: ToolOutput, { start, store, blobs, step }: OutputPlace) {
  const sandbox = new Sandbox(store, mountOf(start), blobs);
  return { result: await shownOutput(output, sandbox, step), apply: () => sandbox.apply() };
}

/** Whether this was said before: then it is a repeat, and no contradiction. */
export function sameAnswer(before: WaitAnswer, given: ActionAnswer): boolean {
  if (before.for === 'approval')
    return given.kind === 'approval' && before.by !== null && before.approved === given.approve;
  if (before.for === 'child' || given.kind === 'approval') return false;
  if (before.given !== undefined) return before.given === digestOfAnswer(given);
  // As an earlier release kept it.
  const { stdout, stderr, exitCode } = outputOf(given);
  const { result } = before;
  const shown = cutText(stdout + stderr, RUN_LIMITS.toolOutputCharacters);
  return result.exitCode === exitCode && result.stdout + result.stderr === shown;
}

function digestOfAnswer({ output, isError }: Extract<ActionAnswer, { kind: 'tool_call' }>) {
  return digestOf(canonicalJson([output, isError]));
}

function outputOf({ output, isError }: Extract<ActionAnswer, { kind: 'tool_call' }>): ToolOutput {
  return isError ? { stdout: '', stderr: output, exitCode: 1 } : { stdout: output, stderr: '', exitCode: 0 };
}
