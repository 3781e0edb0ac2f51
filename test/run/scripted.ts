import type { ToolCall } from '../../src/model/message.ts';
import type { Model, ModelReply, ModelRequest, ModelWatch } from '../../src/model/model.ts';
import type { StoredStart } from '../../src/run/stored-start.ts';

type Turn = ModelReply | ((request: ModelRequest, watch: ModelWatch) => ModelReply | Promise<ModelReply>);

export const A_MODEL: Exclude<StoredStart['model'], { engine: 'runbook' }> = {
  engine: 'openai',
  provider: 'test',
  model: 'small',
  baseUrl: null,
  key: null,
  contextTokens: null,
  outputTokens: null,
  prices: null,
};

/** An engine that says what a test wrote down, by how much was said before: it remembers nothing. */
export function scripted(...turns: readonly Turn[]): Model {
  return {
    name: 'scripted',
    async next(request, watch = {}) {
      const said = request.messages.filter(({ role }) => role === 'assistant').length;
      const turn = turns[Math.min(said, turns.length - 1)];
      if (turn === undefined) throw new Error('nothing is written down');
      return typeof turn === 'function' ? turn(request, watch) : turn;
    },
  };
}

export function says(text: string, more: Partial<Extract<ModelReply, { kind: 'final' }>> = {}): ModelReply {
  return { kind: 'final', text, stopReason: 'completed', ...more };
}

export function calls(...wanted: readonly (readonly [string, ToolCall['input']])[]): ModelReply {
  return {
    kind: 'calls',
    text: '',
    calls: wanted.map(([tool, input], index) => ({
      id: `${tool}-${index}-${JSON.stringify(input)}`,
      tool,
      input,
    })),
  };
}

export function bashCall(command: string) {
  return ['Bash', { command }] as const;
}

export function used(inputTokens: number, outputTokens: number, cost: number | null = null) {
  return { model: 'small', inputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens, cost };
}
