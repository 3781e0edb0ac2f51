import { inject } from 'vitest';
import { ok } from '../../src/core/result.ts';
import { engineOf, type EnginePorts } from '../../src/model/engine.ts';
import type { ModelTimes } from '../../src/model/language-model.ts';
import type { Message, ToolSpec } from '../../src/model/message.ts';
import type { Model, ModelReply, ModelRequest } from '../../src/model/model.ts';
import type { ModelChoice } from '../../src/model/model-choice.ts';

export const HTTP_ENGINES = ['anthropic', 'openai'] as const;
export type HttpEngine = (typeof HTTP_ENGINES)[number];

export const BASH: ToolSpec = {
  name: 'Bash',
  description: 'Runs a script.',
  inputSchema: {
    type: 'object',
    properties: { command: { type: 'string' } },
    required: ['command'],
    additionalProperties: false,
  },
};

/** Long enough for a busy machine to answer, short enough to wait for. */
export const TIMES: ModelTimes = {
  callMilliseconds: 20_000,
  idleMilliseconds: 10_000,
  tries: 4,
  firstWaitMilliseconds: 10,
  longestWaitMilliseconds: 1_000,
};

let keys = 0;

/** A key that no other test has, so that the servers count its calls alone. */
export function newKey(): string {
  keys += 1;
  return `sk-${keys}-${crypto.randomUUID()}`;
}

export function choiceOf(
  engine: HttpEngine,
  model: string,
  more: Partial<Exclude<ModelChoice, { engine: 'runbook' }>> = {},
): Exclude<ModelChoice, { engine: 'runbook' }> {
  return {
    engine,
    provider: 'test',
    model,
    baseUrl: `${inject('models')}/${engine}/v1`,
    key: 'organisation:TEST',
    contextTokens: null,
    outputTokens: null,
    prices: null,
    ...more,
  };
}

export function portsWith(key: string, more: Partial<EnginePorts> = {}): EnginePorts {
  return {
    fetch: async (url, init) => fetch(url, init),
    key: async () => ok(key),
    workersAi: null,
    allowsLocal: true,
    ...more,
  };
}

export function testEngine(
  engine: HttpEngine,
  model: string,
  times: Partial<ModelTimes> = {},
  key = newKey(),
): Model {
  return engineOf(choiceOf(engine, model), portsWith(key), { ...TIMES, ...times });
}

export function requestOf(prompt: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { agent: 'test', messages: [{ role: 'user', text: prompt }], tools: [BASH], ...more };
}

/** The conversation with a reply and the answers to its calls behind it. */
export function answered(request: ModelRequest, reply: ModelReply, outputs: readonly string[]): ModelRequest {
  if (reply.kind !== 'calls') throw new TypeError(`no calls: ${JSON.stringify(reply)}`);
  const { text, calls, native } = reply;
  const results = calls.map((call, index): Message => {
    const result = { stdout: outputs[index] ?? '', stderr: '', exitCode: 0, refused: false };
    return { role: 'tool', call, result };
  });
  return {
    ...request,
    messages: [...request.messages, { role: 'assistant', text, calls, native }, ...results],
  };
}
