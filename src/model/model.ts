import { z } from 'zod';
import type { SkillFields } from '../format/fields/skill-fields.ts';
import { type Message, NativeMessage, ToolCall, type ToolSpec } from './message.ts';
import { ModelUsage } from './usage.ts';

/** Everything an engine gets: it keeps no state between calls, so that a run can go on in another process. */
export interface ModelRequest {
  readonly agent: string;
  readonly system?: string;
  /** From the expanded skill on; the last one is the user's, or a tool's. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /**
   * False: the tools stay declared, which providers want where earlier messages call them, and caches are made of, but the
   * model is to answer with text.
   */
  readonly mayCall?: boolean;
  /** How hard to think, as skills say it; null or absent: as the provider does by default. */
  readonly effort?: SkillFields['effort'];
  /** At most this many tokens of output, below the model's own limit. */
  readonly outputTokens?: number;
}

/** Why a call of a model gave no message. */
export const ModelFailure = z.enum([
  /** The provider stayed down, or overloaded, or unreachable, however often it was asked. */
  'model_unavailable',
  /** It did not take the key, or there is none where one is named. */
  'model_refused_key',
  /** It did not take the request: no such model, or something that it cannot do. */
  'model_refused_request',
  /** The conversation is longer than the model's window. */
  'context_exceeded',
  /** It answered, and no part of the answer can be used: nothing in it, or not what its protocol says. */
  'model_output_invalid',
  /** It answered so slowly that its time ran out. */
  'model_timed_out',
]);
export type ModelFailure = z.infer<typeof ModelFailure>;

const Told = {
  usage: ModelUsage.optional(),
  native: NativeMessage.optional(),
};

/** One assistant message, which asks for tools or is the last one, or why there is none. All of it can be journaled. */
export const ModelReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('calls'), text: z.string(), calls: z.array(ToolCall).min(1), ...Told }),
  z.strictObject({
    kind: z.literal('final'),
    text: z.string(),
    stopReason: z.enum([
      'completed',
      /** The text ends where the limit of output tokens was. */
      'output_limit',
      /** The model, or its provider's filter, would not go on. */
      'model_refused',
      // Of the engine `runbook`.
      'step_failed',
      'commands_missing',
      'no_steps',
    ]),
    ...Told,
  }),
  z.strictObject({
    kind: z.literal('failed'),
    stopReason: ModelFailure,
    /** For people, without secrets and without more than a little of what the provider said. */
    text: z.string(),
    usage: ModelUsage.optional(),
  }),
]);
export type ModelReply = z.infer<typeof ModelReply>;

/** One try of a call that was not the last word: what was wrong, and how long the engine waits before the next. */
export const ModelTry = z.strictObject({
  attempt: z.int().min(1),
  failure: ModelFailure,
  /** The HTTP status; null where the connection itself failed. */
  status: z.int().nullable(),
  detail: z.string(),
  waitMilliseconds: z.number().nonnegative(),
});
export type ModelTry = z.infer<typeof ModelTry>;

export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  /** A call begins; its input comes whole with the reply. */
  | { readonly kind: 'call'; readonly id: string; readonly tool: string };

/** How to follow a call and to end it early. Where a callback throws, the call rejects with what it threw. */
export interface ModelWatch {
  /** Once it is aborted, the call rejects with its reason. */
  readonly signal?: AbortSignal;
  /** What comes while the message is made. A try that fails has perhaps told a part: `onTry` then says so. */
  readonly onDelta?: (delta: ModelDelta) => void;
  readonly onTry?: (failed: ModelTry) => void;
}

/**
 * An engine, made for one model. A provider's faults are replies of the kind `failed`. It rejects when its signal is
 * aborted, and else only for reasons that a later attempt may not meet: such a step is tried again.
 */
export interface Model {
  /** What kind of engine it is, as results name it. */
  readonly name: string;
  /** The size of the model's window in tokens, where somebody knows it. */
  readonly contextTokens?: number;
  next(request: ModelRequest, watch?: ModelWatch): Promise<ModelReply>;
}
