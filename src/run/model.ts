import { z } from 'zod';
import { ToolCall, type ToolResult, type ToolSpec } from '../tool/tool-call.ts';

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly result: ToolResult };

/** Everything an engine gets: it keeps no state between calls, so that a run can go on in another process. */
export interface ModelRequest {
  readonly agent: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
}

/** One assistant message: it asks for tools, or it is the last one. */
export const ModelReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('calls'), text: z.string(), calls: z.array(ToolCall).min(1) }),
  z.strictObject({
    kind: z.literal('final'),
    text: z.string(),
    stopReason: z.enum(['completed', 'step_failed', 'commands_missing', 'no_steps']),
  }),
]);
export type ModelReply = z.infer<typeof ModelReply>;

/** An engine. It rejects only for reasons that a later attempt may not meet: such a step is tried again. */
export interface Model {
  readonly name: string;
  next(request: ModelRequest): Promise<ModelReply>;
}
