import { z } from 'zod';

/** One call of a tool that an engine asked for. `id` is unique inside its run. */
export const ToolCall = z.strictObject({ id: z.string(), tool: z.string(), input: z.json() });
export type ToolCall = z.infer<typeof ToolCall>;

/** What a tool answered, already cut to what a model may see. A refused call has exit code 126 and says why. */
export const ToolResult = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int(),
  refused: z.boolean(),
  /** The call went over a bound of the whole run, which ends with it. */
  limit: z.literal('workspace_limit').optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly result: ToolResult };

/** A tool as an engine sees it. `commands`: for a shell, every command word that it can run. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly commands?: readonly string[];
}

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
