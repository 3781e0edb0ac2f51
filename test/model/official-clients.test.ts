import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, inject, it } from 'vitest';
import { BASH, newKey } from './support.ts';

/** The test servers, checked by the makers' own clients: what these understand, streamed and whole, is the wire format. */
const MODELS = ['hello', 'pair', 'thinks', 'cut-text', 'refuses'] as const;

describe('Anthropic’s client and the server that speaks its format', () => {
  const client = (key: string) =>
    new Anthropic({
      apiKey: key,
      baseURL: `${inject('models')}/anthropic`,
      maxRetries: 0,
      dangerouslyAllowBrowser: true,
    });
  const request = (model: string) => ({
    model,
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'Go.' }],
    tools: [{ name: BASH.name, description: BASH.description, input_schema: { type: 'object' as const } }],
  });

  it.each(MODELS)('%s: the stream adds up to the whole message', async (model) => {
    const streamed = await client(newKey()).messages.stream(request(model)).finalMessage();
    const whole = await client(newKey()).messages.create(request(model));
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.stop_reason).toBe(whole.stop_reason);
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
  });

  it('takes a tool’s answer, and refuses one to a call that was never made', async () => {
    const anthropic = client(newKey());
    const first = await anthropic.messages.create(request('pair'));
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: block.id }]
        : [],
    );
    const go = (content: typeof results) =>
      anthropic.messages.create({
        ...request('pair'),
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: first.content },
          { role: 'user', content },
        ],
      });
    expect((await go(results)).content).toEqual([{ type: 'text', text: 'toolu_0_0 and toolu_0_1' }]);
    await expect(go(results.slice(1))).rejects.toMatchObject({ status: 400 });
  });

  it('knows its errors', async () => {
    await expect(client('wrong').messages.create(request('hello'))).rejects.toMatchObject({ status: 401 });
    await expect(client(newKey()).messages.create(request('nobody'))).rejects.toMatchObject({ status: 404 });
    await expect(client(newKey()).messages.create(request('busy-for-an-hour'))).rejects.toMatchObject({
      status: 429,
    });
    await expect(
      client(newKey()).messages.stream(request('overloaded-inside')).finalMessage(),
    ).rejects.toThrow('Overloaded');
  });
});

describe('OpenAI’s client and the server that speaks its format', () => {
  const client = (key: string) =>
    new OpenAI({
      apiKey: key,
      baseURL: `${inject('models')}/openai/v1`,
      maxRetries: 0,
      dangerouslyAllowBrowser: true,
    });
  const request = (model: string) => ({
    model,
    messages: [{ role: 'user' as const, content: 'Go.' }],
    tools: [
      {
        type: 'function' as const,
        function: { name: BASH.name, description: BASH.description, parameters: { type: 'object' } },
      },
    ],
  });

  it.each(MODELS)('%s: the stream adds up to the whole message', async (model) => {
    const stream = client(newKey()).chat.completions.stream({
      ...request(model),
      stream_options: { include_usage: true },
    });
    // The client itself throws for answers that were cut off.
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    const whole = await client(newKey()).chat.completions.create(request(model));
    const [choice] = whole.choices;
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');
    const args = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
    expect(text).toBe(choice?.message.content ?? '');
    expect(args.map((call) => call.function?.arguments ?? '').join('')).toBe(
      (choice?.message.tool_calls ?? [])
        .map((call) => (call.type === 'function' ? call.function.arguments : ''))
        .join(''),
    );
    expect(chunks.flatMap((chunk) => chunk.choices[0]?.finish_reason ?? [])).toEqual([choice?.finish_reason]);
    expect(chunks.at(-1)?.usage).toEqual(whole.usage);
  });

  it('takes a tool’s answer, and refuses one to a call that was never made', async () => {
    const openai = client(newKey());
    const first = await openai.chat.completions.create(request('pair'));
    const message = first.choices[0]?.message;
    const ids = message?.tool_calls?.map(({ id }) => id) ?? [];
    const go = (answered: readonly string[]) =>
      openai.chat.completions.create({
        ...request('pair'),
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: null, tool_calls: message?.tool_calls ?? [] },
          ...answered.map((id) => ({ role: 'tool' as const, tool_call_id: id, content: id })),
        ],
      });
    expect((await go(ids)).choices[0]?.message.content).toBe('call_0_0 and call_0_1');
    await expect(go(['nobody'])).rejects.toMatchObject({ status: 400 });
  });

  it('knows its errors', async () => {
    await expect(client('wrong').chat.completions.create(request('hello'))).rejects.toMatchObject({
      status: 401,
    });
    await expect(client(newKey()).chat.completions.create(request('nobody'))).rejects.toMatchObject({
      status: 404,
    });
    await expect(client(newKey()).chat.completions.create(request('busy-for-an-hour'))).rejects.toMatchObject(
      { status: 429 },
    );
    await expect(
      client(newKey()).chat.completions.stream(request('overloaded-inside')).finalMessage(),
    ).rejects.toThrow('Overloaded');
  });
});
