import { z } from 'zod';
import { Layer } from '../catalog/layers.ts';
import { DigestSchema } from '../catalog/revision.ts';
import { HookResult } from '../hook/hook-contract.ts';
import { ToolResult } from '../model/message.ts';
import { ModelReply } from '../model/model.ts';
import { ModelUsage } from '../model/usage.ts';

/** Why a call was not made yet, and who has to do something first. */
const Pending = z.discriminatedUnion('for', [
  z.strictObject({
    for: z.literal('approval'),
    reason: z.string(),
    /** The skill that the call would use: a yes is for these bytes. */
    skill: z.strictObject({ name: z.string(), layer: Layer, revision: DigestSchema }).exactOptional(),
  }),
  z.strictObject({ for: z.literal('tool_call') }),
  z.strictObject({ for: z.literal('child'), child: z.string() }),
]);
export type Pending = z.infer<typeof Pending>;

/** How a wait ended. */
const WaitAnswer = z.discriminatedUnion('for', [
  z.strictObject({
    for: z.literal('approval'),
    approved: z.boolean(),
    /** Null where nobody said anything until it was too late. */
    by: z.string().nullable(),
  }),
  z.strictObject({
    for: z.literal('tool_call'),
    result: ToolResult,
    /** Digest of what the host handed in, which is longer than what the model is shown of it. */
    given: DigestSchema.exactOptional(),
  }),
  /** What the run inside of this one used counts here. */
  z.strictObject({ for: z.literal('child'), result: ToolResult, usage: z.array(ModelUsage) }),
]);
export type WaitAnswer = z.infer<typeof WaitAnswer>;

/** One hook that an event fired. */
const HookRun = z.strictObject({
  hook: z.string(),
  once: z.boolean(),
  /** Null for one that nobody ran, with the reason. */
  result: HookResult.nullable(),
  reason: z.string().nullable(),
});

/** What a finished step of the journal holds. Whatever a release adds here, what older ones wrote stays readable. */
export const Outcome = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('model'), reply: ModelReply }),
  z.strictObject({ kind: z.literal('tool'), result: ToolResult }),
  z.strictObject({ kind: z.literal('pending'), pending: Pending }),
  z.strictObject({ kind: z.literal('wait'), answer: WaitAnswer }),
  z.strictObject({
    kind: z.literal('hook'),
    event: z.string(),
    runs: z.array(HookRun),
    /** Why what the event was about may not happen; null where it may. */
    block: z.string().nullable(),
  }),
  z.strictObject({ kind: z.literal('compaction'), reply: ModelReply }),
]);
export type Outcome = z.infer<typeof Outcome>;
