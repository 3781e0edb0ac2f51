import { RUN_LIMITS } from '../core/limits.ts';
import type { RunStatus, StopReason } from '../invoke/run-contract.ts';
import type { Message, ToolCall, ToolResult } from '../model/message.ts';
import type { ModelReply } from '../model/model.ts';

/** What a finished step of the journal holds. */
export type Outcome =
  | { readonly kind: 'model'; readonly reply: ModelReply }
  | { readonly kind: 'tool'; readonly result: ToolResult };

/** What a run does next. `text` of an end is the run's result, partial unless it completed. */
export type Action =
  | { readonly kind: 'model'; readonly messages: readonly Message[] }
  | { readonly kind: 'tool'; readonly call: ToolCall }
  | { readonly kind: 'end'; readonly stopReason: StopReason; readonly text: string };

interface Usage {
  readonly turns: number;
  readonly toolCalls: number;
}

/** Where a run stands, told from its prompt and its finished steps alone: the same journal always says the same. */
export interface Standing {
  readonly next: Action;
  readonly usage: Usage;
  /** The call of each tool step, by the step's place in the journal, the next one included. */
  readonly calls: ReadonlyMap<number, ToolCall>;
}

export function standingOf(prompt: string, outcomes: readonly Outcome[]): Standing {
  const messages: Message[] = [{ role: 'user', text: prompt }];
  const calls = new Map<number, ToolCall>();
  const waiting: ToolCall[] = [];
  const usage = { turns: 0, toolCalls: 0 };
  let end: Action | null = null;
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.kind === 'model') {
      usage.turns += 1;
      const { reply } = outcome;
      if (reply.kind === 'final') end = ended(reply.stopReason, reply.text);
      else if (reply.kind === 'failed') end = ended(reply.stopReason, partialText(outcomes));
      else {
        messages.push({ role: 'assistant', text: reply.text, calls: reply.calls, native: reply.native });
        waiting.push(...reply.calls);
      }
      continue;
    }
    usage.toolCalls += 1;
    const call = waiting.shift();
    if (call === undefined) throw new RangeError(`step ${index} of the journal answers no call`);
    calls.set(index, call);
    messages.push({ role: 'tool', call, result: outcome.result });
    if (outcome.result.limit !== undefined) end = ended(outcome.result.limit, partialText(outcomes));
  }
  const [call] = waiting;
  if (call !== undefined) calls.set(outcomes.length, call);
  return { next: end ?? nextAction(messages, call, usage, outcomes), usage, calls };
}

function nextAction(
  messages: readonly Message[],
  call: ToolCall | undefined,
  usage: Usage,
  outcomes: readonly Outcome[],
): Action {
  if (call !== undefined) {
    return usage.toolCalls >= RUN_LIMITS.toolCalls
      ? ended('tool_call_limit', partialText(outcomes))
      : { kind: 'tool', call };
  }
  return usage.turns >= RUN_LIMITS.turns
    ? ended('turn_limit', partialText(outcomes))
    : { kind: 'model', messages };
}

function ended(stopReason: StopReason, text: string): Action {
  return { kind: 'end', stopReason, text };
}

/** The best that an unfinished run can hand back: what its last tool printed. */
export function partialText(outcomes: readonly Outcome[]): string {
  const printed = outcomes.flatMap((outcome) => (outcome.kind === 'tool' ? [outcome.result.stdout] : []));
  return printed.findLast((text) => text !== '') ?? '';
}

export function statusOf(stopReason: StopReason): Exclude<RunStatus, 'running'> {
  switch (stopReason) {
    case 'completed':
      return 'succeeded';
    case 'turn_limit':
    case 'tool_call_limit':
    case 'wall_time_limit':
    case 'workspace_limit':
    case 'output_limit':
      return 'stopped';
    default:
      return 'failed';
  }
}
