import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { engineOf } from '../../src/model/engine.ts';
import { type ModelDelta, ModelReply, type ModelTry } from '../../src/model/model.ts';
import {
  answered,
  choiceOf,
  HTTP_ENGINES,
  newKey,
  portsWith,
  requestOf,
  testEngine,
  TIMES,
} from './support.ts';

const Asked = z.object({ headers: z.record(z.string(), z.string()), body: z.record(z.string(), z.json()) });

async function lastAsked(key: string) {
  return Asked.parse(await (await fetch(`${inject('models')}/last/${key}`)).json());
}

describe.each(HTTP_ENGINES)('%s', (engine) => {
  it('answers with text, and tells it as it comes', async () => {
    const deltas: ModelDelta[] = [];
    const reply = await testEngine(engine, 'hello').next(requestOf('Say hello.'), {
      onDelta: (delta) => deltas.push(delta),
    });
    expect(reply).toMatchObject({ kind: 'final', text: 'Hello, world.', stopReason: 'completed' });
    expect(deltas).toEqual([
      { kind: 'text', text: 'Hello, ' },
      { kind: 'text', text: 'world.' },
    ]);
  });

  it('asks for two tools in one message, and reads both answers', async () => {
    const model = testEngine(engine, 'pair');
    const request = requestOf('Two at once.', { system: 'You are careful.' });
    const first = await model.next(request);
    expect(first).toMatchObject({
      kind: 'calls',
      text: 'Both at once.',
      calls: [
        { tool: 'Bash', input: { command: 'echo one' } },
        { tool: 'Bash', input: { command: 'echo two' } },
      ],
    });
    const last = await model.next(answered(request, first, ['one\n', 'two\n']));
    expect(last).toMatchObject({ kind: 'final', text: 'one and two' });
  });

  it('sends back what only the provider understands, after it was stored', async () => {
    const model = testEngine(engine, 'thinks');
    const thoughts: ModelDelta[] = [];
    const request = requestOf('Look.', { effort: 'high' });
    const first = await model.next(request, {
      onDelta: (delta) => {
        if (delta.kind === 'thought') thoughts.push(delta);
      },
    });
    expect(thoughts.length).toBeGreaterThan(0);
    const stored = ModelReply.parse(JSON.parse(JSON.stringify(first)));
    expect(stored).toEqual(first);
    expect(await model.next(answered(request, stored, ['a.txt']))).toMatchObject({
      kind: 'final',
      text: 'Seen: a.txt',
    });
  });

  it('lets another engine go on with a conversation', async () => {
    const request = requestOf('Look.');
    const first = await testEngine(engine === 'anthropic' ? 'openai' : 'anthropic', 'thinks').next(request);
    const last = await testEngine(engine, 'pair').next(answered(request, first, ['a.txt']));
    expect(last).toMatchObject({ kind: 'final', text: 'a.txt' });
  });

  it('gives every call of a run an id of its own', async () => {
    const model = testEngine(engine, 'same-ids');
    const request = requestOf('Go.');
    const first = await model.next(request);
    const then = answered(request, first, ['0']);
    const second = await model.next(then);
    const ids = [first, second].map((reply) => (reply.kind === 'calls' ? reply.calls[0]?.id : null));
    expect(ids[0]).not.toBe(ids[1]);
    expect(await model.next(answered(then, second, ['1']))).toMatchObject({ kind: 'final', text: 'done' });
  });

  it('counts tokens by kind, and what they cost', async () => {
    const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
    const model = engineOf(choiceOf(engine, 'pair', { prices }), portsWith(newKey()), TIMES);
    const request = requestOf('Two at once.');
    const last = await model.next(answered(request, await model.next(request), ['1', '2']));
    const written = engine === 'anthropic' ? 50 : 0;
    expect(last).toMatchObject({
      usage: {
        model: 'pair',
        inputTokens: 10,
        cacheReadTokens: 100,
        cacheWriteTokens: written,
        outputTokens: 7,
      },
    });
    const cost = last.usage?.cost ?? 0;
    expect(cost).toBeCloseTo((10 * 3 + 100 * 0.3 + written * 3.75 + 7 * 15) / 1_000_000, 12);
  });

  it.each([
    ['low', 'low'],
    ['xhigh', engine === 'openai' ? 'high' : 'xhigh'],
    [10_000, 'medium'],
    [null, undefined],
  ] as const)('says effort %s as the provider does', async (effort, said) => {
    const key = newKey();
    const choice = choiceOf(engine, engine === 'anthropic' ? 'claude-opus-5-5' : 'hello');
    await engineOf(choice, portsWith(key), TIMES).next(requestOf('Hello', { effort }));
    const { body } = await lastAsked(key);
    if (engine === 'openai') expect(body['reasoning_effort']).toBe(said);
    else expect(z.object({ effort: z.string() }).optional().parse(body['output_config'])?.effort).toBe(said);
  });

  it('declares tools that may not be called, where a conversation has called them', async () => {
    const key = newKey();
    const request = requestOf('Two at once.');
    const first = await testEngine(engine, 'pair').next(request);
    const summing = { ...answered(request, first, ['1', '2']), mayCall: false };
    expect(await testEngine(engine, 'hello', {}, key).next(summing)).toMatchObject({ kind: 'final' });
    const { body } = await lastAsked(key);
    expect(body['tools']).toHaveLength(1);
    expect(body['tool_choice']).toEqual(engine === 'openai' ? 'none' : { type: 'none' });
  });

  it('keeps to the lower of two limits of output', async () => {
    const key = newKey();
    await engineOf(choiceOf(engine, 'hello', { outputTokens: 900 }), portsWith(key), TIMES).next(
      requestOf('Hello', { outputTokens: 500 }),
    );
    expect((await lastAsked(key)).body['max_tokens']).toBe(500);
  });

  it('tries again after a pause that the provider chose, and says so', async () => {
    const tries: ModelTry[] = [];
    const reply = await testEngine(engine, 'busy-twice').next(requestOf('Hello'), {
      onTry: (failed) => tries.push(failed),
    });
    expect(reply).toMatchObject({ kind: 'final', text: 'Third time.' });
    expect(tries).toEqual([
      { attempt: 1, failure: 'model_unavailable', status: 429, detail: 'busy', waitMilliseconds: 30 },
      { attempt: 2, failure: 'model_unavailable', status: 503, detail: 'busy', waitMilliseconds: 30 },
    ]);
  });

  it.each(['overloaded-inside', 'closed-once'])(
    'tries again after an answer that began well (%s)',
    async (model) => {
      const tries: ModelTry[] = [];
      const reply = await testEngine(engine, model).next(requestOf('Hello'), {
        onTry: (failed) => tries.push(failed),
      });
      expect(reply).toMatchObject({ kind: 'final', text: 'Now.' });
      expect(tries.map(({ attempt }) => attempt)).toEqual([1]);
    },
  );

  it('rejects with what its caller throws, and does not try again', async () => {
    const tries: ModelTry[] = [];
    const watch = {
      onDelta: () => {
        throw new Error('no room for events');
      },
      onTry: (failed: ModelTry) => tries.push(failed),
    };
    await expect(testEngine(engine, 'hello').next(requestOf('Hello'), watch)).rejects.toThrow('no room');
    expect(tries).toEqual([]);
  });

  it('stops at once when it is told to', async () => {
    const controller = new AbortController();
    const model = testEngine(engine, 'hang');
    setTimeout(() => controller.abort(new Error('cancelled')), 300);
    await expect(model.next(requestOf('Hello'), { signal: controller.signal })).rejects.toThrow('cancelled');
    await expect(model.next(requestOf('Hello'), { signal: controller.signal })).rejects.toThrow('cancelled');
  });
});

describe('anthropic alone', () => {
  it('marks what may be cached: the system prompt, the skill and the end', async () => {
    const key = newKey();
    const model = testEngine('anthropic', 'pair', {}, key);
    const request = requestOf('Two at once.', { system: 'You are careful.' });
    await model.next(answered(request, await model.next(request), ['1', '2']));
    const { body } = await lastAsked(key);
    const marked = JSON.stringify(body).split('"cache_control":{"type":"ephemeral"}').length - 1;
    expect(marked).toBe(3);
    expect(JSON.stringify(body['messages'])).toMatch(/"cache_control":\{"type":"ephemeral"\}\}\]\}\]$/);
  });

  it('opens the long window for a name that asks for it', async () => {
    const key = newKey();
    await testEngine('anthropic', 'hello[1m]', {}, key).next(requestOf('Hello'));
    const { headers, body } = await lastAsked(key);
    expect(body['model']).toBe('hello');
    expect(headers['anthropic-beta']).toContain('context-1m');
  });
});

describe('openai alone', () => {
  it('needs no key where the server wants none', async () => {
    const choice = choiceOf('openai', 'hello', { key: null });
    const reply = await engineOf(choice, portsWith('unused'), TIMES).next(requestOf('Hello'));
    expect(reply).toMatchObject({ kind: 'final', text: 'Hello, world.' });
    expect((await lastAsked('none')).headers['authorization']).toBeUndefined();
  });
});
