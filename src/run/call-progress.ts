import { type ToolCall, type ToolResult, unmade } from '../model/message.ts';
import type { Outcome, Pending, WaitAnswer } from './outcome.ts';

export type Approval = Extract<Pending, { for: 'approval' }>;

/** How far one call has come: hooks before it, the call itself, waits, hooks after it. */
export class CallProgress {
  readonly call: ToolCall;
  /** What a person said yes to: the call itself, or a skill as it was then. */
  approval: Approval | null = null;
  pending: Pending | null = null;
  result: ToolResult | null = null;
  /** Hooks of these events have had their say. */
  readonly asked = new Set<string>();
  /** It was not made, so that there is nothing to tell hooks of. */
  unmade = false;

  constructor(call: ToolCall) {
    this.call = call;
  }

  /** The event whose hooks come next; null where none does. */
  get event(): string | null {
    if (this.result === null) return this.asked.has('PreToolUse') ? null : 'PreToolUse';
    if (this.unmade || this.asked.has('PostToolUse') || this.asked.has('PostToolUseFailure')) return null;
    return this.result.exitCode === 0 ? 'PostToolUse' : 'PostToolUseFailure';
  }

  hook({ event, block }: Extract<Outcome, { kind: 'hook' }>): void {
    this.asked.add(event);
    if (block === null) return;
    if (this.result === null) this.#refuse(`A hook does not allow this call: ${block}`);
    else this.result = { ...this.result, stderr: `${this.result.stderr}A hook objects: ${block}\n` };
  }

  answer(answer: WaitAnswer): void {
    const { pending } = this;
    this.pending = null;
    if (answer.for !== 'approval') this.result = answer.result;
    else if (answer.approved) this.approval = pending?.for === 'approval' ? pending : null;
    else
      this.#refuse(answer.by === null ? 'Nobody allowed this call in time.' : 'A person denied this call.');
  }

  #refuse(reason: string): void {
    this.unmade = true;
    this.result = unmade(reason);
  }
}
