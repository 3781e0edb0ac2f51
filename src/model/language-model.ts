import { setTimeout } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { MODEL_LIMITS } from '../core/limits.ts';
import { Collector } from './collect.ts';
import { Deadline } from './deadline.ts';
import { type Fault, faultOf } from './fault.ts';
import type { Model, ModelDelta, ModelReply, ModelRequest, ModelWatch } from './model.ts';
import { type Answerer, replyOf, usageOf } from './reply.ts';
import { addUsage, type ModelUsage } from './usage.ts';

/** What one kind of provider adds to the loop of tries. */
export interface Provider extends Answerer {
  readonly contextTokens: number | null;
  /** Never shown, wherever a provider repeats it. */
  readonly key: string | null;
  /** Loads the provider's package. `touch` is called for every sign of life. */
  load(touch: () => void): Promise<LanguageModelV4>;
  options(request: ModelRequest): LanguageModelV4CallOptions;
}

/** The times of a call, so that tests need not wait for them. */
export type ModelTimes = Pick<
  { readonly [Name in keyof typeof MODEL_LIMITS]: number },
  'callMilliseconds' | 'idleMilliseconds' | 'tries' | 'firstWaitMilliseconds' | 'longestWaitMilliseconds'
>;

/**
 * An engine over one of the maintained provider packages: streams one message, and tries again where that can help, with
 * pauses that double, or are as long as the provider asks for.
 */
export function languageModel(provider: Provider, times: ModelTimes = MODEL_LIMITS): Model {
  return {
    name: provider.engine,
    ...(provider.contextTokens !== null && { contextTokens: provider.contextTokens }),
    next: (request, watch = {}) => call(provider, times, request, watch),
  };
}

async function call(
  provider: Provider,
  times: ModelTimes,
  request: ModelRequest,
  watch: ModelWatch,
): Promise<ModelReply> {
  const end = Date.now() + times.callMilliseconds;
  // Answers that cannot be used are paid for too.
  let spent: ModelUsage | null = null;
  for (let attempt = 1; ; attempt += 1) {
    const told = await tryOnce(provider, request, watch, end - Date.now(), times.idleMilliseconds);
    watch.signal?.throwIfAborted();
    spent = addUsage(spent, told.usage);
    const usage = spent === null ? {} : { usage: spent };
    if (told.ok) return { ...told.reply, ...usage };
    const fault = { ...told.fault, detail: withoutKey(told.fault.detail, provider.key) };
    const wait = waitBefore(attempt, fault, times);
    if (wait === null || Date.now() + wait >= end)
      return { kind: 'failed', stopReason: fault.failure, text: toldOf(provider, fault, attempt), ...usage };
    const { failure, status, detail } = fault;
    watch.onTry?.({ attempt, failure, status, detail, waitMilliseconds: wait });
    await setTimeout(wait, undefined, { ...(watch.signal && { signal: watch.signal }) }).catch(
      () => undefined,
    );
    watch.signal?.throwIfAborted();
  }
}

type Tried =
  | { readonly ok: true; readonly reply: ModelReply; readonly usage: ModelUsage | null }
  | { readonly ok: false; readonly fault: Fault; readonly usage: ModelUsage | null };

async function tryOnce(
  provider: Provider,
  request: ModelRequest,
  watch: ModelWatch,
  milliseconds: number,
  idleMilliseconds: number,
): Promise<Tried> {
  const deadline = new Deadline(milliseconds, idleMilliseconds, watch.signal);
  const touch = (): void => deadline.touch();
  let toldInVain = false;
  const tell = (delta: ModelDelta): void => {
    try {
      watch.onDelta?.(delta);
    } catch (error) {
      toldInVain = true;
      throw error;
    }
  };
  const collector = new Collector(tell);
  const usage = (): ModelUsage | null =>
    collector.usage === null ? null : usageOf(collector.usage, provider);
  try {
    touch();
    const model = await deadline.race(provider.load(touch));
    const options = { ...provider.options(request), abortSignal: deadline.signal };
    const { stream } = await deadline.race(model.doStream(options));
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await deadline.race(reader.read());
        if (done) break;
        touch();
        collector.add(value);
      }
    } finally {
      // Not waited for: a stream that hangs may never be done with being cancelled.
      reader.cancel().catch(() => undefined);
    }
    return { ok: true, reply: replyOf(collector.whole(), request, provider.engine), usage: usage() };
  } catch (error) {
    // No fault of the provider.
    if (toldInVain) throw error;
    const reason: unknown = deadline.signal.aborted ? deadline.signal.reason : error;
    return { ok: false, fault: faultOf(reason, Date.now()), usage: usage() };
  } finally {
    deadline.end();
  }
}

/** How long to wait before another try, in milliseconds; null: there is none. */
function waitBefore(attempt: number, fault: Fault, times: ModelTimes): number | null {
  if (!fault.again || attempt >= times.tries) return null;
  const asked = fault.retryAfterMilliseconds;
  if (asked !== null) return asked <= times.longestWaitMilliseconds ? asked : null;
  // Between half and all of it, so that many runs do not come back at one instant.
  const most = Math.min(times.firstWaitMilliseconds * 2 ** (attempt - 1), times.longestWaitMilliseconds);
  return Math.round(most * (0.5 + Math.random() / 2));
}

/** What people read. */
function toldOf({ engine }: Provider, { detail, status }: Fault, attempt: number): string {
  const facts = [
    ...(status === null ? [] : [`HTTP ${status}`]),
    ...(attempt === 1 ? [] : [`${attempt} times`]),
  ];
  return `${engine}: ${detail}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

function withoutKey(text: string, key: string | null): string {
  return key === null || key === '' ? text : text.replaceAll(key, '[key]');
}
