import { beforeEach, expect, test } from 'vitest';
import type { ModelReply, ModelRequest } from '../../src/model/model.ts';
import { A_MODEL, bashCall, calls, says, scripted } from './scripted.ts';
import { ran, startOf, useDependencies } from './support.ts';

beforeEach(() => useDependencies());

const model = { ...A_MODEL, contextTokens: 2000 };
const isCompaction = ({ messages, mayCall }: ModelRequest) => {
  const last = messages.at(-1);
  return mayCall === false && last?.role === 'user' && last.text.includes('replaced by a summary');
};

test('a conversation that fills its window is replaced by its summary, and the run goes on', async () => {
  const seen: number[] = [];
  useDependencies({
    model: () => ({
      name: 'scripted',
      async next(request) {
        if (isCompaction(request)) return says('two of three are done');
        seen.push(request.messages.length);
        const [, summary] = request.messages;
        return summary?.role === 'user' && summary.text.includes('two of three are done')
          ? says('three')
          : calls(bashCall(`seq 1 400; echo ${request.messages.length}`));
      },
    }),
  });
  const run = await ran(startOf({ model, prompt: 'Count to three.' }));
  expect(run).toMatchObject({ status: 'succeeded', result: 'three' });
  expect(run.steps.map(({ kind }) => kind)).toContain('compaction');
  expect(seen.at(-1)).toBe(2);
  expect(run.usage.turns).toBe(seen.length);
});

test('a window that was smaller than anybody knew is compacted for, once', async () => {
  const full: ModelReply = { kind: 'failed', stopReason: 'context_exceeded', text: 'too long' };
  const failing = scripted((request) => (isCompaction(request) ? says('a summary') : full));
  useDependencies({ model: () => failing });
  const run = await ran(startOf({ model: A_MODEL }));
  expect(run).toMatchObject({ status: 'failed', stopReason: 'context_exceeded' });
  expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'compaction', 'model']);
});

test('a summary that cannot be made ends the run', async () => {
  const full: ModelReply = { kind: 'failed', stopReason: 'context_exceeded', text: 'too long' };
  useDependencies({ model: () => scripted(full) });
  const run = await ran(startOf({ model: A_MODEL }));
  expect(run).toMatchObject({ status: 'failed', stopReason: 'context_exceeded' });
  expect(run.steps.map(({ kind }) => kind)).toEqual(['model', 'compaction']);
});
