import { RUN_LIMITS } from '../core/limits.ts';
import type { StopReason } from '../invoke/runs/run-contract.ts';
import { readResult } from '../invoke/runs/result-schema.ts';
import type { Message, NativeMessage, ToolCall, ToolResult } from '../model/message.ts';
import type { ModelReply } from '../model/model.ts';
import { type Approval, CallProgress } from './call-progress.ts';
import { compacted, COMPACTION_REQUEST, tokensOf } from './compaction.ts';
import type { Outcome, Pending } from './outcome.ts';
import type { StoredStart } from './stored-start.ts';
import { UsageCount } from './usage.ts';

/** What a run does next. `text` of an end is the run's result, partial unless it completed. */
export type Action =
  | { readonly kind: 'model'; readonly messages: readonly Message[] }
  | { readonly kind: 'compaction'; readonly messages: readonly Message[] }
  | {
      readonly kind: 'hook';
      readonly event: string;
      readonly about: CallProgress | null;
      readonly spent: ReadonlySet<string>;
    }
  | { readonly kind: 'tool'; readonly call: ToolCall; readonly approval: Approval | null }
  | { readonly kind: 'wait'; readonly call: ToolCall; readonly pending: Pending }
  | { readonly kind: 'end'; readonly stopReason: StopReason; readonly text: string };

/** Events about the end of a run, in the order in which their hooks are asked. */
const END_EVENTS = ['Stop', 'SubagentStop'] as const;

interface Final {
  readonly text: string;
  readonly native: NativeMessage | undefined;
  readonly stopReason: StopReason;
  /** Why it is not the end: what a hook, or the check of the result, says to the model. */
  objection: string | null;
}

/**
 * Where a run stands, told from its start and its finished steps alone: the same journal always says the same. Steps are
 * taken as they were recorded, whatever a later release would have done in their place.
 */
export class Standing {
  readonly usage = new UsageCount();
  readonly #calls = new Map<number, ToolCall>();
  /** Hooks that were to run once, and did. */
  readonly spentHooks = new Set<string>();
  readonly #start: StoredStart;
  readonly #compactionTokens: number;
  #messages: Message[] = [];
  #tokens = 0;
  #steps = 0;
  #queue: CallProgress[] = [];
  #final: Final | null = null;
  #failure: Extract<ModelReply, { kind: 'failed' }> | null = null;
  #limit: StopReason | null = null;
  #askedEvents = new Set<string>();
  #repairs = 0;
  #stopBlocks = 0;
  #justCompacted = false;
  #same = { key: '', times: 0 };
  #lastText = '';
  #lastOutput = '';

  constructor(start: StoredStart) {
    this.#start = start;
    const { model } = start;
    // The engine without a model reads from the messages where it stands, and has no window.
    const window = model.engine === 'runbook' ? Infinity : (model.contextTokens ?? RUN_LIMITS.contextTokens);
    this.#compactionTokens = window * RUN_LIMITS.compactionShare;
    this.#push({ role: 'user', text: start.prompt });
  }

  /** The call that a step is about, the next one included. */
  callOf(step: number): ToolCall | undefined {
    return step === this.#steps ? this.#queue[0]?.call : this.#calls.get(step);
  }

  /** How many steps are finished. */
  get steps(): number {
    return this.#steps;
  }

  /** The best that an unfinished run can hand back: what its model last said, or else what its last tool printed. */
  get partialText(): string {
    return this.#start.model.engine === 'runbook' ? this.#lastOutput : this.#lastText || this.#lastOutput;
  }

  apply(outcome: Outcome): void {
    const [first] = this.#queue;
    if (first && outcome.kind !== 'model' && outcome.kind !== 'compaction')
      this.#calls.set(this.#steps, first.call);
    this.#steps += 1;
    switch (outcome.kind) {
      case 'model':
        this.usage.turns += 1;
        this.usage.add(outcome.reply.usage);
        this.#goOn();
        this.#reply(outcome.reply);
        break;
      case 'compaction':
        this.#compact(outcome.reply);
        break;
      case 'hook':
        this.#hook(outcome);
        break;
      default:
        this.#call(outcome);
    }
    this.#settle();
  }

  next(): Action {
    if (this.#limit !== null) return this.#end(this.#limit);
    const [first] = this.#queue;
    if (first) return this.#nextOfCall(first);
    if (this.#failure !== null && (this.#failure.stopReason !== 'context_exceeded' || this.#justCompacted))
      return this.#end(this.#failure.stopReason);
    if (this.#final !== null && this.#final.objection === null) return this.#nextOfFinal(this.#final);
    if (this.#steps === 0 && this.#hasHooks('SubagentStart')) return this.#fire('SubagentStart', null);
    const limit = this.usage.exceeded(this.#start.limits, 'model');
    if (limit !== null) return this.#end(limit);
    const messages = [...this.#messages, ...this.#objections()];
    const tooLong = this.#failure !== null || this.#tokens > this.#compactionTokens;
    if (tooLong && !this.#justCompacted)
      return { kind: 'compaction', messages: [...messages, COMPACTION_REQUEST] };
    return { kind: 'model', messages };
  }

  #nextOfCall(first: CallProgress): Action {
    const { call, pending, approval } = first;
    if (pending !== null) return { kind: 'wait', call, pending };
    const limit = first.result === null ? this.usage.exceeded(this.#start.limits, 'tool') : null;
    if (limit !== null) return this.#end(limit);
    const { event } = first;
    if (event !== null && this.#hasHooks(event)) return this.#fire(event, first);
    if (first.result !== null) throw new RangeError('a call that has its result is still waiting');
    return { kind: 'tool', call, approval };
  }

  #nextOfFinal({ text, stopReason }: Final): Action {
    if (stopReason !== 'completed') return { kind: 'end', stopReason, text };
    const { resultSchema } = this.#start;
    let result = text;
    if (resultSchema !== null) {
      const read = readResult(resultSchema, text);
      if (!read.ok) return { kind: 'end', stopReason: 'result_invalid', text };
      result = read.value;
    }
    const event = END_EVENTS.find((each) => !this.#askedEvents.has(each) && this.#hasHooks(each));
    return event === undefined ? { kind: 'end', stopReason, text: result } : this.#fire(event, null);
  }

  #fire(event: string, about: CallProgress | null): Action {
    return { kind: 'hook', event, about, spent: this.spentHooks };
  }

  #reply(reply: ModelReply): void {
    this.#failure = reply.kind === 'failed' ? reply : null;
    if (reply.kind === 'failed') return;
    if (reply.text !== '') this.#lastText = reply.text;
    this.#justCompacted = false;
    const { text, native } = reply;
    if (reply.kind === 'calls') {
      this.#push({ role: 'assistant', text, calls: reply.calls, native });
      this.#queue = reply.calls.map((call) => new CallProgress(call));
      return;
    }
    this.#final = { text, native, stopReason: reply.stopReason, objection: null };
    this.#askedEvents = new Set();
    if (reply.stopReason === 'completed') this.#final.objection = this.#repair(text);
  }

  /** What is wrong with the result, said once. */
  #repair(text: string): string | null {
    const { resultSchema } = this.#start;
    if (resultSchema === null || this.#repairs > 0) return null;
    const read = readResult(resultSchema, text);
    if (read.ok) return null;
    this.#repairs += 1;
    return (
      `Your answer is not the JSON that was asked for: ${read.error}\n\n` +
      `Answer with nothing but one JSON value for this schema:\n${JSON.stringify(resultSchema)}`
    );
  }

  #hook(outcome: Extract<Outcome, { kind: 'hook' }>): void {
    for (const { hook, once, result } of outcome.runs)
      if (once && result?.outcome === 'success') this.spentHooks.add(hook);
    const [first] = this.#queue;
    if (first) return first.hook(outcome);
    this.#askedEvents.add(outcome.event);
    if (outcome.block === null || this.#final === null || this.#stopBlocks >= RUN_LIMITS.stopBlocks) return;
    this.#stopBlocks += 1;
    this.#final.objection = outcome.block;
  }

  #call(outcome: Extract<Outcome, { kind: 'tool' | 'pending' | 'wait' }>): void {
    const [first] = this.#queue;
    if (!first) throw new RangeError(`step ${this.#steps - 1} of the journal answers no call`);
    if (outcome.kind === 'pending') first.pending = outcome.pending;
    else if (outcome.kind === 'tool') first.result = outcome.result;
    else {
      if (outcome.answer.for === 'child') for (const usage of outcome.answer.usage) this.usage.add(usage);
      first.answer(outcome.answer);
    }
    if (first.result === null) return;
    this.usage.toolCalls += 1;
    if (first.result.stdout !== '') this.#lastOutput = first.result.stdout;
    if (first.result.limit !== undefined) this.#limit = first.result.limit;
  }

  /** Hands over the results of calls that nothing more is to be done about. */
  #settle(): void {
    for (;;) {
      const [first] = this.#queue;
      if (!first || first.result === null) return;
      if (first.event !== null && this.#hasHooks(first.event)) return;
      this.#queue.shift();
      this.#push({ role: 'tool', call: first.call, result: first.result });
      this.#noteSame(first.call, first.result);
    }
  }

  #hasHooks(event: string): boolean {
    return this.#start.hooks.some((hook) => hook.event === event && !this.spentHooks.has(hook.hook));
  }

  #compact(reply: ModelReply): void {
    this.usage.add(reply.usage);
    this.#goOn();
    this.#justCompacted = true;
    if (reply.kind === 'failed') this.#failure = reply;
    else {
      this.#failure = null;
      const [prompt] = this.#messages;
      this.#messages = prompt ? compacted(prompt, reply.text) : [];
      this.#tokens = tokensOf(this.#messages);
    }
  }

  /** The model goes on after what it took for its last word. */
  #goOn(): void {
    for (const message of this.#objections()) this.#push(message);
    this.#final = null;
  }

  #objections(): Message[] {
    if (this.#final === null || this.#final.objection === null) return [];
    const { text, native, objection } = this.#final;
    return [
      { role: 'assistant', text, calls: [], native },
      { role: 'user', text: objection },
    ];
  }

  #push(message: Message): void {
    this.#messages.push(message);
    if (this.#compactionTokens < Infinity) this.#tokens += tokensOf([message]);
  }

  /** A model can get stuck; what a skill's author wrote down has an end. */
  #noteSame(call: ToolCall, result: ToolResult): void {
    if (this.#start.model.engine === 'runbook') return;
    const key = JSON.stringify([call.tool, call.input, result]);
    this.#same = key === this.#same.key ? { key, times: this.#same.times + 1 } : { key, times: 1 };
    if (this.#same.times >= RUN_LIMITS.sameCalls) this.#limit = 'repeated_call';
  }

  #end(stopReason: StopReason): Action {
    return { kind: 'end', stopReason, text: this.partialText };
  }
}
