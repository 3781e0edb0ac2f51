import { z } from 'zod';
import type { Answer } from './play.ts';
import type { Understood } from './anthropic.ts';

/** OpenAI's chat completions, from their public description: what of a request is read, and how one is streamed. */
const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.string() }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullish(),
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().min(1),
          type: z.literal('function'),
          function: z.strictObject({
            name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
            arguments: z.string(),
          }),
        }),
      )
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  max_tokens: z.int().positive().optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  reasoning_effort: z.enum(['low', 'medium', 'high']).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.looseObject({
          name: z.string(),
          description: z.string(),
          parameters: z.looseObject({ type: z.literal('object') }),
        }),
      }),
    )
    .optional(),
});

export function readOpenai(input: unknown): Understood | string {
  const parsed = Body.safeParse(input);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const { model, messages, stream } = parsed.data;
  let waiting = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!waiting.delete(message.tool_call_id)) return `messages.${index} answers no tool call`;
      continue;
    }
    if (waiting.size > 0) return `messages.${index}: tool calls before it are not answered`;
    if (message.role === 'assistant') waiting = new Set(message.tool_calls?.map(({ id }) => id));
  }
  const prompt = messages.find((message) => message.role === 'user')?.content ?? '';
  const results = messages.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  return { scene: { model, prompt, results }, stream: stream === true, marks: 0 };
}

const STOPS = { end: 'stop', tools: 'tool_calls', length: 'length', refusal: 'content_filter' } as const;
const USAGE = {
  prompt_tokens: 110,
  completion_tokens: 7,
  total_tokens: 117,
  prompt_tokens_details: { cached_tokens: 100 },
};

function callsOf(answer: Answer, turn: number) {
  return (answer.calls ?? []).map(({ id, tool, input }, index) => ({
    id: id ?? `call_${turn}_${index}`,
    type: 'function',
    function: { name: tool, arguments: input },
  }));
}

export function openaiJson(answer: Answer, { scene }: Understood): object {
  const calls = callsOf(answer, scene.results.length);
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    refusal: null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = { index: 0, message, finish_reason: STOPS[answer.stop], logprobs: null };
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: scene.model,
    choices: [choice],
    usage: USAGE,
  };
}

export function openaiError(status: number, message: string): object {
  return {
    error: {
      message,
      type: status >= 500 ? 'server_error' : 'invalid_request_error',
      param: null,
      code: null,
    },
  };
}

export function* openaiEvents(answer: Answer, { scene }: Understood): Generator<string> {
  const envelope = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: scene.model };
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    data({ ...envelope, choices: [{ index: 0, delta, finish_reason }] });
  yield chunk({ role: 'assistant', content: '' });
  for (const reasoning_content of halves(answer.thought ?? '')) yield chunk({ reasoning_content });
  for (const content of halves(answer.text ?? '')) yield chunk({ content });
  if (answer.trouble === 'overloaded') {
    yield data({ error: { message: 'Overloaded', type: 'server_error', param: null, code: null } });
    return;
  }
  for (const [index, call] of callsOf(answer, scene.results.length).entries()) {
    yield chunk({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: '' } }] });
    for (const piece of halves(call.function.arguments))
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  yield chunk({}, STOPS[answer.stop]);
  yield data({ ...envelope, choices: [], usage: USAGE });
  yield 'data: [DONE]\n\n';
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
