import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { z } from 'zod';
import type { Message, ToolSpec } from './message.ts';
import type { ModelRequest } from './model.ts';
import { toolText } from './tool-text.ts';

type AssistantMessage = Extract<Message, { readonly role: 'assistant' }>;
type ProviderOptions = NonNullable<LanguageModelV4Message['providerOptions']>;

const Options = z.record(z.string(), z.record(z.string(), z.json()));

/** The parts of an assistant message in the form of the provider packages, which is what `native` holds. */
export const NativeParts = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text'), text: z.string(), providerOptions: Options }),
    z.strictObject({ type: z.literal('reasoning'), text: z.string(), providerOptions: Options }),
    z.strictObject({
      type: z.literal('tool-call'),
      toolCallId: z.string(),
      toolName: z.string(),
      input: z.json(),
      providerOptions: Options,
    }),
  ]),
);
export type NativeParts = z.infer<typeof NativeParts>;

/**
 * A conversation in the form of the provider packages. `mark` is put where a provider may cache what came so far: behind
 * the system prompt (and with it the tools), behind the skill, and at the end, where the next call goes on.
 */
export function promptOf(
  { system, messages }: ModelRequest,
  engine: string,
  mark: ProviderOptions | null,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  if (system !== undefined && system !== '') prompt.push({ role: 'system', content: system });
  const marked = new Set([prompt.length - 1, prompt.length]);
  let results: LanguageModelV4ToolResultPart[] | null = null;
  for (const message of messages) {
    if (message.role === 'tool') {
      if (results === null) prompt.push({ role: 'tool', content: (results = []) });
      results.push(resultPart(message));
      continue;
    }
    results = null;
    if (message.role === 'user')
      prompt.push({ role: 'user', content: [{ type: 'text', text: message.text }] });
    else prompt.push({ role: 'assistant', content: partsOf(message, engine) });
  }
  marked.add(prompt.length - 1);
  if (mark === null) return prompt;
  return prompt.map((message, index) =>
    marked.has(index) ? { ...message, providerOptions: mark } : message,
  );
}

export function toolsOf(tools: readonly ToolSpec[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema,
  }));
}

function partsOf({ text, calls, native }: AssistantMessage, engine: string): NativeParts {
  const own = native?.engine === engine ? NativeParts.safeParse(native.parts) : null;
  if (own?.success === true) return own.data;
  return [
    // Blank text is refused where there is nothing else to say.
    ...(text.trim() === '' ? [] : [{ type: 'text' as const, text, providerOptions: {} }]),
    ...calls.map(({ id, tool, input }) => ({
      type: 'tool-call' as const,
      toolCallId: id,
      toolName: tool,
      input,
      providerOptions: {},
    })),
  ];
}

function resultPart({
  call,
  result,
}: Extract<Message, { readonly role: 'tool' }>): LanguageModelV4ToolResultPart {
  return {
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.tool,
    output: { type: result.exitCode === 0 ? 'text' : 'error-text', value: toolText(result) },
  };
}
