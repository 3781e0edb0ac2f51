import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { z } from 'zod';
import { nestsDeeper } from '../core/json-depth.ts';
import { JSON_LIMITS, MODEL_LIMITS } from '../core/limits.ts';
import type { Block, Collected } from './collect.ts';
import { FaultError } from './fault.ts';
import type { NativeMessage, ToolCall } from './message.ts';
import type { ModelReply, ModelRequest } from './model.ts';
import { NativeParts } from './prompt.ts';
import { costOf, type ModelPrices, type ModelUsage } from './usage.ts';

/** Who answered, for the message and its account. */
export interface Answerer {
  readonly engine: string;
  readonly model: string;
  readonly prices: ModelPrices | null;
}

/** The names that every provider takes; a call of anything else could not be sent back to it. */
const TOOL_NAME = new RegExp(`^[A-Za-z0-9_-]{1,${MODEL_LIMITS.toolNameCharacters}}$`);
const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;
const InputObject = z.record(z.string(), z.json());

/** The message without its account. @throws FaultError for one with nothing in it. */
export function replyOf(collected: Collected, request: ModelRequest, engine: string): ModelReply {
  const cut = collected.finish.unified === 'length';
  const calls = callsOf(collected, request);
  const text = collected.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  const [first] = calls;
  if (first !== undefined) {
    const native = nativeOf(collected.blocks, calls, engine);
    return { kind: 'calls', text, calls, ...(native !== null && { native }) };
  }
  if (collected.finish.unified === 'content-filter')
    return { kind: 'final', text, stopReason: 'model_refused' };
  if (cut) return { kind: 'final', text, stopReason: 'output_limit' };
  if (text.trim() === '') throw new FaultError('model_output_invalid', 'the answer is empty', true);
  return { kind: 'final', text, stopReason: 'completed' };
}

/** The calls of a message, each with an id that no other call of the run has, whatever the provider gave. */
function callsOf({ blocks, finish }: Collected, request: ModelRequest): ToolCall[] {
  const taken = new Set(
    request.messages.flatMap((message) =>
      message.role === 'assistant' ? message.calls.map(({ id }) => id) : [],
    ),
  );
  const given = blocks.filter((block) => block.type === 'call');
  return given.map((block, index) => {
    const own = CALL_ID.test(block.id) && !taken.has(block.id);
    const id = own ? block.id : `call-${taken.size + 1}`;
    taken.add(id);
    const cut = finish.unified === 'length' && index === given.length - 1;
    return { id, ...readCall(block, cut) };
  });
}

function readCall({ tool, input }: Extract<Block, { type: 'call' }>, cut: boolean): Omit<ToolCall, 'id'> {
  if (!TOOL_NAME.test(tool)) {
    const name = tool.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, MODEL_LIMITS.toolNameCharacters);
    return { tool: name === '' ? 'unnamed' : name, input: {}, invalid: 'there is no tool of this name' };
  }
  const read = input.trim() === '' && !cut ? {} : inputOf(input);
  if (read !== null) return { tool, input: read };
  const invalid = cut
    ? 'the input was cut off at the limit of output tokens: ask for less at once'
    : 'the input is not a JSON object, or it is nested too deeply';
  return { tool, input: {}, invalid };
}

function inputOf(text: string): ToolCall['input'] | null {
  try {
    const value: unknown = JSON.parse(text);
    return nestsDeeper(value, JSON_LIMITS.depth) ? null : (InputObject.safeParse(value).data ?? null);
  } catch {
    return null;
  }
}

/** The message in the provider's own form, or null where text and calls say all of it. */
function nativeOf(
  blocks: readonly Block[],
  calls: readonly ToolCall[],
  engine: string,
): NativeMessage | null {
  if (!blocks.some((block) => block.type === 'reasoning' || block.options !== null)) return null;
  const waiting = [...calls];
  const parts = blocks.flatMap((block): object[] => {
    const providerOptions = block.options ?? {};
    if (block.type !== 'call') {
      const blank = block.type === 'text' && block.text.trim() === '';
      return blank ? [] : [{ type: block.type, text: block.text, providerOptions }];
    }
    const call = waiting.shift();
    if (call === undefined) return [];
    const { id: toolCallId, tool: toolName, input } = call;
    return [{ type: 'tool-call', toolCallId, toolName, input, providerOptions }];
  });
  const checked = NativeParts.safeParse(parts);
  return checked.success ? { engine, parts: checked.data } : null;
}

/** Where a provider does not tell tokens of its cache apart, all input is input. */
export function usageOf({ inputTokens, outputTokens }: LanguageModelV4Usage, by: Answerer): ModelUsage {
  const cacheReadTokens = tokens(inputTokens.cacheRead);
  const cacheWriteTokens = tokens(inputTokens.cacheWrite);
  const rest = tokens(inputTokens.total) - cacheReadTokens - cacheWriteTokens;
  const usage = {
    model: by.model,
    inputTokens: Math.max(0, tokens(inputTokens.noCache ?? rest)),
    cacheReadTokens,
    cacheWriteTokens,
    outputTokens: tokens(outputTokens.total),
  };
  return { ...usage, cost: costOf(usage, by.prices) };
}

/** Providers are strangers: what is no count counts nothing. */
function tokens(count: number | undefined): number {
  return count !== undefined && Number.isSafeInteger(count) && count > 0 ? count : 0;
}
