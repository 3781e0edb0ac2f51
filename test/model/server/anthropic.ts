import { z } from 'zod';
import type { Answer, Scene } from './play.ts';

/** Anthropic's Messages, from its public description: what of a request is read, and how a message is streamed. */
const CacheControl = z.strictObject({ type: z.literal('ephemeral') }).optional();
const Text = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1),
  cache_control: CacheControl,
});
const Thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const ToolUse = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  input: z.record(z.string(), z.json()),
  cache_control: CacheControl,
});
const ToolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(Text)]),
  is_error: z.boolean().optional(),
  cache_control: CacheControl,
});
const Block = z.discriminatedUnion('type', [Text, Thinking, ToolUse, ToolResult]);
type Block = z.infer<typeof Block>;
const Message = z.strictObject({
  role: z.enum(['user', 'assistant']),
  content: z.union([z.string(), z.array(Block).min(1)]),
});
const ALLOWED = { user: ['text', 'tool_result'], assistant: ['text', 'thinking', 'tool_use'] };

const Body = z.looseObject({
  model: z.string(),
  max_tokens: z.int().positive(),
  system: z.union([z.string(), z.array(Text)]).optional(),
  messages: z.array(Message).min(1),
  tools: z
    .array(
      z.looseObject({
        name: z.string(),
        description: z.string(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .optional(),
  tool_choice: z.looseObject({ type: z.enum(['auto', 'any', 'tool', 'none']) }).optional(),
  stream: z.boolean().optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
  output_config: z.looseObject({ effort: z.string().optional() }).optional(),
});
type Body = z.infer<typeof Body>;

/** A thought comes back with its signature, or the server refuses it. */
const SIGNATURE = 'sig-of-first-i-look';

export interface Understood {
  readonly scene: Omit<Scene, 'key' | 'askedBefore'>;
  readonly stream: boolean;
  /** What may be cached: the number of marks. */
  readonly marks: number;
}

export function readAnthropic(input: unknown): Understood | string {
  const parsed = Body.safeParse(input);
  if (!parsed.success) return z.prettifyError(parsed.error);
  const body = parsed.data;
  const wrong = wrongOrder(body);
  if (wrong !== null) return wrong;
  if (body.tools === undefined && blocksOf(body).some(({ type }) => type.startsWith('tool_')))
    return 'Requests which include `tool_use` or `tool_result` blocks must define tools';
  const [first] = body.messages;
  const results = blocksOf(body).filter((block) => block.type === 'tool_result');
  const marks = JSON.stringify(input).split('"cache_control"').length - 1;
  if (marks > 4) return 'A maximum of 4 blocks with cache_control may be provided';
  return {
    scene: {
      model: body.model,
      prompt: textOf(first?.content ?? ''),
      results: results.map((r) => textOf(r.content)),
    },
    stream: body.stream === true,
    marks,
  };
}

function wrongOrder(body: Body): string | null {
  let waiting: string[] = [];
  for (const [index, { role, content }] of body.messages.entries()) {
    if ((index % 2 === 0) !== (role === 'user')) return `messages.${index}: roles must alternate`;
    const blocks = typeof content === 'string' ? [] : content;
    const odd = blocks.find(({ type }) => !ALLOWED[role].includes(type));
    if (odd !== undefined) return `messages.${index}: ${odd.type} blocks are not for ${role}`;
    const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
    if (role === 'user' && answered.toSorted().join() !== waiting.toSorted().join())
      return `messages.${index}: tool_result blocks must answer the tool_use blocks before them`;
    waiting = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    if (new Set(waiting).size < waiting.length) return `messages.${index}: tool_use ids must be unique`;
    const forged = blocks.some((block) => block.type === 'thinking' && block.signature !== SIGNATURE);
    if (forged) return `messages.${index}: Invalid signature in thinking block`;
    const dropped = body.model === 'thinks' && role === 'assistant' && blocks[0]?.type !== 'thinking';
    if (dropped) return `messages.${index}: Expected thinking, but found ${blocks[0]?.type}`;
  }
  return null;
}

function blocksOf(body: Body): Block[] {
  return body.messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
}

function textOf(
  content: string | readonly { readonly type: string; readonly text?: string | undefined }[],
): string {
  return typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('');
}

const STOPS = { end: 'end_turn', tools: 'tool_use', length: 'max_tokens', refusal: 'refusal' } as const;

/** A message with all that its usage says. */
function messageOf(answer: Answer, { scene, marks }: Understood) {
  const turn = scene.results.length;
  const content = [
    ...(answer.thought === undefined
      ? []
      : [{ type: 'thinking', thinking: answer.thought, signature: SIGNATURE }]),
    ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
    ...(answer.calls ?? []).map(({ id, tool, input }, index) => ({
      type: 'tool_use',
      id: id ?? `toolu_${turn}_${index}`,
      name: tool,
      input,
    })),
  ];
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: marks > 0 ? 50 : 0,
    cache_read_input_tokens: marks > 0 && turn > 0 ? 100 : 0,
    output_tokens: 7,
  };
  return { content, usage, stop_reason: STOPS[answer.stop] };
}

export function anthropicJson(answer: Answer, understood: Understood): object {
  const { content, ...rest } = messageOf(answer, understood);
  const blocks = content.map((block) =>
    'input' in block ? { ...block, input: JSON.parse(block.input) } : block,
  );
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: understood.scene.model,
    content: blocks,
    stop_sequence: null,
    ...rest,
  };
}

export function anthropicError(status: number, message: string): object {
  const type = { 400: 'invalid_request_error', 401: 'authentication_error', 404: 'not_found_error' }[status];
  return {
    type: 'error',
    error: { type: type ?? (status === 529 ? 'overloaded_error' : 'api_error'), message },
  };
}

export function* anthropicEvents(answer: Answer, understood: Understood): Generator<string> {
  const { content, usage, stop_reason } = messageOf(answer, understood);
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: understood.scene.model,
    content: [],
  };
  yield event('message_start', {
    message: { ...message, stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } },
  });
  yield event('ping', {});
  for (const [index, block] of content.entries()) {
    if ('thinking' in block) {
      yield event('content_block_start', { index, content_block: { ...block, thinking: '', signature: '' } });
      for (const thinking of halves(block.thinking)) yield delta(index, { type: 'thinking_delta', thinking });
      yield delta(index, { type: 'signature_delta', signature: block.signature });
    } else if ('text' in block) {
      yield event('content_block_start', { index, content_block: { type: 'text', text: '' } });
      for (const text of halves(block.text)) yield delta(index, { type: 'text_delta', text });
    } else {
      yield event('content_block_start', { index, content_block: { ...block, input: {} } });
      for (const partial_json of halves(block.input))
        yield delta(index, { type: 'input_json_delta', partial_json });
    }
    if (answer.trouble === 'overloaded') {
      yield event('error', { error: { type: 'overloaded_error', message: 'Overloaded' } });
      return;
    }
    yield event('content_block_stop', { index });
  }
  yield event('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: usage.output_tokens },
  });
  yield event('message_stop', {});
}

function delta(index: number, change: object): string {
  return event('content_block_delta', { index, delta: change });
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
