import { z } from 'zod';
import { fail, ok, type Result } from '../core/result.ts';
import { FsError } from '../sandbox/fs-basics.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ToolCall, ToolSpec } from '../model/message.ts';
import type { ToolGate } from './tool-gate.ts';

/** What a call can use. */
export interface ToolContext {
  /** Files as this call sees them. What it changes is kept together with the step's row in the journal, or not at all. */
  readonly sandbox: Sandbox;
  /** What is left of the run's wall time. */
  readonly remainingMilliseconds: number;
  /** The run was cancelled. */
  readonly signal: AbortSignal;
  /** Where a call leads to another one, as a redirect does. */
  readonly gate: ToolGate;
}

/** What a call gave, in whole. Exit code 0 is success, as in a shell; `stdout` is for success, `stderr` for what went wrong. */
export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** A call whose input was understood. */
export interface ReadyCall {
  /** What rules are matched against: for Bash the command, for files the absolute path, for WebFetch the URL. */
  readonly subject: string;
  /** Rejects only where another attempt may succeed. */
  run(context: ToolContext): Promise<ToolOutput>;
}

export interface Tool {
  readonly name: string;
  /**
   * Whether a call of which nobody knows how far it came may be made again. True of all that acts on the sandbox alone,
   * since what it did there is not kept until its step is.
   */
  readonly idempotent: boolean;
  spec(): Promise<ToolSpec>;
  /** Reads what an engine sent. Errors: text that says what is wrong with the input. */
  read(input: ToolCall['input']): Result<ReadyCall, string>;
}

interface Definition<Input extends z.ZodType> {
  readonly name: string;
  readonly description: string;
  /** What an engine has to send; it is shown this as JSON Schema. */
  readonly input: Input;
  subject(input: z.infer<Input>): string;
  run(input: z.infer<Input>, context: ToolContext): Promise<ToolOutput>;
  /** Of a shell. */
  commands?(): Promise<readonly string[]>;
}

/** A tool of ours. All of them are idempotent. */
export function defineTool<Input extends z.ZodType>(definition: Definition<Input>): Tool {
  const { name, description, input: schema } = definition;
  // Many runs are told of few tools, and making a schema costs more than most calls do.
  let inputSchema: ToolSpec['inputSchema'] | null = null;
  return {
    name,
    idempotent: true,
    async spec() {
      const commands = await definition.commands?.();
      inputSchema ??= z.toJSONSchema(schema, { io: 'input' });
      return { name, description, inputSchema, ...(commands !== undefined && { commands }) };
    },
    read(sent) {
      const parsed = schema.safeParse(sent);
      if (!parsed.success) return fail(issueText(parsed.error));
      const input = parsed.data;
      return ok({
        subject: definition.subject(input),
        run: (context) => told(definition.run(input, context)),
      });
    },
  };
}

/** What a file system refuses is the call's failure, and not the step's. */
async function told(output: Promise<ToolOutput>): Promise<ToolOutput> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof FsError) return failed(error.message);
    throw error;
  }
}

export function succeeded(stdout: string): ToolOutput {
  return { stdout, stderr: '', exitCode: 0 };
}

/** `reason` begins with a stable word for what went wrong, as `file_unknown: ...`. */
export function failed(reason: string): ToolOutput {
  return { stdout: '', stderr: `${reason}\n`, exitCode: 1 };
}

function issueText(error: z.ZodError): string {
  const [issue] = error.issues;
  const at = issue?.path.join('.') ?? '';
  return `${at === '' ? '' : `${at}: `}${issue?.message ?? 'not an input of this tool'}`;
}
