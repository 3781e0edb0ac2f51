import { z } from 'zod';

/** One call of a tool that an engine asked for. `id` is unique inside its run. */
export const ToolCall = z.strictObject({
  id: z.string(),
  tool: z.string(),
  input: z.json(),
  /** Why the input cannot be used, such as JSON that was cut off. Such a call is answered with this and never made. */
  invalid: z.string().optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** What a tool answered, already cut to what a model may see. A refused call has exit code 126 and says why. */
export const ToolResult = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int(),
  refused: z.boolean(),
  /** The call went over a bound of the whole run, which ends with it. */
  limit: z.enum(['workspace_limit', 'depth_limit']).optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;

const REFUSED = 126;

/** The answer to a call that was not made: refused, unless it has another of the exit codes that a shell has for that. */
export function unmade(reason: string, exitCode: number = REFUSED): ToolResult {
  return { stdout: '', stderr: `${reason}\n`, exitCode, refused: exitCode === REFUSED };
}

/**
 * A message in its engine's own form, where that holds more than text and calls, such as the signature of a thought. It
 * goes back to the same engine word for word, and means nothing to others.
 */
export const NativeMessage = z.strictObject({ engine: z.string(), parts: z.array(z.json()) });
export type NativeMessage = z.infer<typeof NativeMessage>;

/** The conversation of a run. All results of one assistant message follow it, before anything else. */
export type Message =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly native?: NativeMessage | undefined;
    }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly result: ToolResult };

/** A tool as an engine sees it. `commands`: for a shell, every command word that it can run. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of an object. */
  readonly inputSchema: object;
  readonly commands?: readonly string[];
}
