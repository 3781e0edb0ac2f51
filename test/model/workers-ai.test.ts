import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { engineOf } from '../../src/model/engine.ts';
import type { WorkersAi } from '../../src/model/providers.ts';
import { answered, portsWith, requestOf, TIMES } from './support.ts';

const CHOICE = {
  engine: 'workers-ai' as const,
  provider: 'edge',
  model: '@cf/meta/llama-4-scout-17b-16e-instruct',
  baseUrl: null,
  key: null,
  contextTokens: 131_000,
  outputTokens: null,
  prices: null,
};
const Inputs = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string() })),
  stream: z.literal(true),
});

/** A binding that streams as Workers AI does: chat completions as server-sent events. */
function binding(play: (inputs: z.infer<typeof Inputs>) => readonly object[]): WorkersAi {
  return new Proxy(Object.create(null), {
    get: (_, name) =>
      name === 'run'
        ? async (model: string, inputs: unknown) => {
            expect(model).toBe(CHOICE.model);
            const events = play(Inputs.parse(inputs)).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
            return new Response([...events, 'data: [DONE]\n\n'].join('')).body;
          }
        : undefined,
  });
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason }] };
}

describe('workers-ai', () => {
  it('asks for a tool, and goes on with its answer', async () => {
    const asked: z.infer<typeof Inputs>[] = [];
    const ai = binding((inputs) => {
      asked.push(inputs);
      if (inputs.messages.some(({ role }) => role === 'tool')) {
        return [chunk({ content: 'It says ' }), chunk({ content: 'one.' }), chunk({}, 'stop')];
      }
      const call = { index: 0, id: 'call_1', type: 'function' };
      return [
        chunk({ tool_calls: [{ ...call, function: { name: 'Bash', arguments: '{"command":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '"echo one"}' } }] }),
        { ...chunk({}, 'tool_calls'), usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 } },
      ];
    });
    const model = engineOf(CHOICE, portsWith('', { workersAi: ai }), TIMES);
    expect(model).toMatchObject({ name: 'workers-ai', contextTokens: 131_000 });
    const request = requestOf('Go.', { effort: 'max' });
    const first = await model.next(request);
    expect(first).toMatchObject({
      kind: 'calls',
      calls: [{ tool: 'Bash', input: { command: 'echo one' } }],
      usage: { inputTokens: 12, outputTokens: 5, cost: null },
    });
    expect(await model.next(answered(request, first, ['one']))).toMatchObject({
      kind: 'final',
      text: 'It says one.',
    });
    expect(asked[0]).toMatchObject({ reasoning_effort: 'high', tools: [{ function: { name: 'Bash' } }] });
  });

  it('is told where the deployment has no binding', async () => {
    const reply = await engineOf(CHOICE, portsWith(''), TIMES).next(requestOf('Go.'));
    expect(reply).toMatchObject({ kind: 'failed', stopReason: 'model_refused_request' });
  });

  it('names a binding that fails, after trying again', async () => {
    let calls = 0;
    const ai = binding(() => {
      calls += 1;
      throw new Error('3040: Capacity temporarily exceeded, please try again.');
    });
    const reply = await engineOf(CHOICE, portsWith('', { workersAi: ai }), { ...TIMES, tries: 2 }).next(
      requestOf('Go.'),
    );
    expect(reply).toMatchObject({ kind: 'failed', stopReason: 'model_unavailable' });
    expect(calls).toBe(2);
  });
});
