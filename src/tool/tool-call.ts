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

/** A tool as an engine sees it. `commands`: for a shell, every command word that it can run. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly commands?: readonly string[];
}
