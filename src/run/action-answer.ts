import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { ActionAnswer } from '../invoke/run-contract.ts';
import type { ToolResult } from '../model/message.ts';
import type { WaitAnswer } from './outcome.ts';

/** An answer as the journal has it. */
export function answerOf(given: ActionAnswer): WaitAnswer {
  return given.kind === 'approval'
    ? { for: 'approval', approved: given.approve, by: given.by }
    : { for: 'tool_call', result: resultOf(given.output, given.isError) };
}

/** Whether this was said before: then it is a repeat, and no contradiction. */
export function sameAnswer(before: WaitAnswer, given: ActionAnswer): boolean {
  if (before.for === 'approval')
    return given.kind === 'approval' && before.by !== null && before.approved === given.approve;
  return JSON.stringify(before) === JSON.stringify(answerOf(given));
}

function resultOf(output: string, isError: boolean): ToolResult {
  const text = cutText(output, RUN_LIMITS.toolOutputCharacters);
  return isError
    ? { stdout: '', stderr: text, exitCode: 1, refused: false }
    : { stdout: text, stderr: '', exitCode: 0, refused: false };
}
