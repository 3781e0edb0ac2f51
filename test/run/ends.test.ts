/** Every way in which a run can end, each with a reason of its own and what there is of a result. */
import { runDurableObjectAlarm } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { RUN_LIMITS } from '../../src/core/limits.ts';
import type { Model, ModelReply } from '../../src/model/model.ts';
import { lowestLimits } from '../../src/view/settings/run-limits.ts';
import { A_MODEL, bashCall, calls, says, scripted, used } from './scripted.ts';
import {
  addressOf,
  drain,
  ran,
  runs,
  startOf,
  stubOf,
  useDependencies,
  view,
  type Wanted,
} from './support.ts';

beforeEach(() => useDependencies());

async function ranBy(model: Model, more: Wanted = {}) {
  useDependencies({ model: () => model });
  return ran(startOf({ model: A_MODEL, ...more }));
}

const step = (text: string, usage?: ReturnType<typeof used>): ModelReply => ({
  ...calls(bashCall(`echo ${text} | tee -a log; wc -l log`)),
  text: `working on ${text}`,
  ...(usage && { usage }),
});

describe('limits that the start sets', () => {
  const endless = (usage = used(600, 400, 0.25)) =>
    scripted(...Array.from({ length: 20 }, (_, index) => step(String(index), usage)));

  test.each([
    ['turn_limit', { turns: 2 }, 2],
    ['tool_call_limit', { toolCalls: 3 }, 4],
    ['token_limit', { tokens: 2500 }, 3],
    ['cost_limit', { cost: 0.5 }, 2],
  ] as const)('%s', async (stopReason, limits, turns) => {
    const run = await ranBy(endless(), { limits: lowestLimits(limits) });
    expect(run).toMatchObject({ status: 'stopped', stopReason, usage: { turns } });
    expect(run.result).toBe(`working on ${turns - 1}`);
    expect(run.usage.cost).toBeCloseTo(turns / 4);
    expect(run.usage.tokens).toEqual({
      small: { input: turns * 600, cacheRead: 0, cacheWrite: 0, output: turns * 400 },
    });
  });

  test('the lowest of all counts, and nobody raises the deployment’s', () => {
    expect(lowestLimits({ turns: 5, cost: 1 }, { turns: 9, cost: 0.5, depth: 1 })).toEqual({
      ...lowestLimits(),
      turns: 5,
      cost: 0.5,
      depth: 1,
    });
    expect(lowestLimits({ turns: 1e6, depth: 99 })).toEqual(lowestLimits());
  });

  test('a cost that nobody knows stops nothing, and is said to be unknown', async () => {
    const run = await ranBy(endless(used(1, 1)), { limits: lowestLimits({ cost: 0.01, turns: 3 }) });
    expect(run).toMatchObject({ stopReason: 'turn_limit', usage: { cost: null } });
  });
});

describe('what a model says', () => {
  test.each<[string, ModelReply, object]>([
    [
      'is cut off',
      says('half', { stopReason: 'output_limit' }),
      { status: 'stopped', stopReason: 'output_limit', result: 'half' },
    ],
    [
      'is a refusal',
      says('no', { stopReason: 'model_refused' }),
      { status: 'failed', stopReason: 'model_refused', result: 'no' },
    ],
    ...(
      [
        'model_unavailable',
        'model_refused_key',
        'model_refused_request',
        'model_output_invalid',
        'model_timed_out',
      ] as const
    ).map((stopReason): [string, ModelReply, object] => [
      stopReason,
      { kind: 'failed', stopReason, text: 'because' },
      { status: 'failed', stopReason, result: 'working on one' },
    ]),
  ])('%s', async (_, reply, expected) => {
    const run = await ranBy(scripted(step('one'), reply));
    expect(run).toMatchObject({ result: 'working on one', ...expected, usage: { turns: 2, toolCalls: 1 } });
    expect(run.steps.at(-1)).toMatchObject({ kind: 'model', state: 'done', attempts: 1 });
  });

  test('is the same call for ever', async () => {
    const run = await ranBy(scripted(calls(bashCall('echo same'))));
    expect(run).toMatchObject({
      status: 'stopped',
      stopReason: 'repeated_call',
      result: 'same\n',
      usage: { toolCalls: RUN_LIMITS.sameCalls },
    });
  });

  test('is a tool that is not there, input that is not JSON, or not the tool’s: the model is told, and goes on', async () => {
    const invalid: ModelReply = {
      kind: 'calls',
      text: '',
      calls: [{ id: 'cut', tool: 'Bash', input: null, invalid: 'the input ends in the middle' }],
    };
    const run = await ranBy(
      scripted(calls(['Telepathy', {}]), invalid, calls(['Bash', { cmd: 1 }]), says('well')),
    );
    expect(run).toMatchObject({ status: 'succeeded', result: 'well' });
    expect(run.steps.flatMap(({ exitCode }) => exitCode ?? [])).toEqual([127, 2, 2]);
    expect(run.steps[3]?.output).toContain('ends in the middle');
  });

  test('is a write that is too long for a journal, too many calls, or control characters', async () => {
    const input = { file_path: '/workspace/big', content: 'x'.repeat(5_000_000) };
    const write: ModelReply = { kind: 'calls', text: '', calls: [{ id: 'big', tool: 'Write', input }] };
    const run = await ranBy(scripted(write, says('smaller, then')));
    expect(run).toMatchObject({ status: 'succeeded', result: 'smaller, then', files: [] });
    expect(run.steps[1]).toMatchObject({ exitCode: 2, attempts: 1 });
    expect(run.steps[1]?.output).toContain('input_too_long');
    const many = await ranBy(scripted(calls(...Array.from({ length: 100 }, () => bashCall('ls')))));
    expect(many).toMatchObject({ status: 'failed', stopReason: 'model_output_invalid' });
    const odd = await ranBy(scripted(calls(bashCall(String.raw`printf '\033[2J\001\002'`)), says('well')));
    expect(odd.status).toBe('succeeded');
  });

  test('never comes: the call is ended at its time', async () => {
    const { modelMilliseconds } = RUN_LIMITS;
    Object.assign(RUN_LIMITS, { modelMilliseconds: 50 });
    const run = await ranBy(
      scripted(
        (_, { signal }) =>
          new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      ),
    );
    Object.assign(RUN_LIMITS, { modelMilliseconds });
    expect(run).toMatchObject({ status: 'failed', stopReason: 'model_timed_out' });
  });
});

test('a model that has not answered when the time of the run is up ends it so', async () => {
  const run = await ranBy(
    scripted(
      (_, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    ),
    { limits: lowestLimits({ milliseconds: 500 }) },
  );
  expect(run).toMatchObject({ status: 'stopped', stopReason: 'wall_time_limit', result: '' });
});

describe('a result with a schema', () => {
  const resultSchema = {
    type: 'object',
    required: ['count'],
    properties: { count: { type: 'integer' } },
    additionalProperties: false,
  };

  test('is JSON that matches', async () => {
    const run = await ranBy(scripted(says('{"count": 3}')), { resultSchema });
    expect(run).toMatchObject({ status: 'succeeded', result: '{"count": 3}', resultFormat: 'json' });
  });

  test('is repaired once, by a model that is told what is wrong', async () => {
    let told = '';
    const run = await ranBy(
      scripted(says('three'), ({ messages }) => {
        const last = messages.at(-1);
        told = last?.role === 'user' ? last.text : '';
        return says('Here:\n```json\n{"count": 3}\n```\n');
      }),
      { resultSchema },
    );
    expect(run).toMatchObject({ status: 'succeeded', usage: { turns: 2 } });
    expect(run.result).toBe('{"count": 3}');
    expect(told).toContain('it is not JSON');
    expect(told).toContain('"additionalProperties":false');
  });

  test('that is still none after that is handed back, and called invalid', async () => {
    const run = await ranBy(scripted(says('three'), says('{"count": "3"}')), { resultSchema });
    expect(run).toMatchObject({
      status: 'failed',
      stopReason: 'result_invalid',
      result: '{"count": "3"}',
      usage: { turns: 2 },
    });
  });
});

describe('a cancelled run', () => {
  test('ends at once, whatever it does, and keeps nothing of it', async () => {
    let aborted = false;
    useDependencies({
      model: () =>
        scripted(step('one'), (_, { signal }) => {
          return new Promise((_resolve, reject) =>
            signal?.addEventListener('abort', () => {
              aborted = true;
              reject(signal.reason);
            }),
          );
        }),
    });
    const start = startOf({ model: A_MODEL });
    await runs.start(start);
    for (const _ of ['model', 'tool']) await runDurableObjectAlarm(stubOf(start));
    const woken = runDurableObjectAlarm(stubOf(start));
    await expect.poll(async () => (await view(start)).steps.length).toBe(3);
    const cancelled = await runs.cancel(addressOf(start), null);
    expect(cancelled).toMatchObject({
      ok: true,
      value: { status: 'cancelled', stopReason: 'cancelled', result: 'working on one' },
    });
    await woken;
    expect(aborted).toBe(true);
    const after = await drain(start);
    expect(after.steps.at(-1)).toMatchObject({ kind: 'model', state: 'stopped', attempts: 1 });
    expect(await runs.cancel(addressOf(start), null)).toEqual({ ok: true, value: after });
  });

  test('that has ended stays as it ended', async () => {
    const start = startOf();
    const done = await ran(start);
    expect(await runs.cancel(addressOf(start), null)).toEqual({ ok: true, value: done });
  });
});
