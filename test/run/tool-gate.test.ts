import { beforeEach, expect, test } from 'vitest';
import type { RunStart } from '../../src/invoke/run-contract.ts';
import type { Model, ModelReply } from '../../src/run/model.ts';
import { toolGate } from '../../src/run/tool-gate.ts';
import { bash, ran, startOf, useDependencies } from './support.ts';

beforeEach(() => useDependencies());

type Rules = RunStart['rules'];
const none = { declared: [], granted: [], missing: [] };

test('Bash is allowed by the deployment, since it reaches nothing', () => {
  expect(toolGate({ rules: [], tools: none })('Bash', 'rm -rf /')).toMatchObject({ decision: 'allow' });
});

test('any other tool has to be allowed, declared and granted', () => {
  const allow: Rules = [{ effect: 'allow', pattern: 'WebFetch', layer: 'organisation' }];
  const both = { declared: ['WebFetch'], granted: ['WebFetch'], missing: [] };
  const url = 'https://example.com/';
  expect(toolGate({ rules: allow, tools: both })('WebFetch', url).decision).toBe('allow');
  expect(toolGate({ rules: allow, tools: { ...both, granted: [] } })('WebFetch', url).decision).toBe('deny');
  expect(toolGate({ rules: allow, tools: { ...both, declared: [] } })('WebFetch', url).decision).toBe('deny');
  expect(toolGate({ rules: [], tools: both })('WebFetch', url).decision).toBe('ask');
});

const refusing: [string, Rules[number]][] = [
  ['a deny rule', { effect: 'deny', pattern: 'Bash(rm:*)', layer: 'organisation', reason: 'keep files' }],
  ['an ask rule', { effect: 'ask', pattern: 'Bash(rm:*)', layer: 'organisation' }],
];

test.each(refusing)('%s of the organisation refuses the call, which is kept as a step', async (_, rule) => {
  const prompt = bash('touch f', 'cat f; rm f', 'echo never');
  const run = await ran(startOf({ rules: [rule], prompt }));
  expect(run).toMatchObject({ status: 'failed', stopReason: 'step_failed', usage: { toolCalls: 2 } });
  expect(run.steps[3]).toMatchObject({
    kind: 'tool',
    tool: 'Bash',
    input: 'cat f; rm f',
    exitCode: 126,
    attempts: 1,
  });
  expect(run.steps[3]?.output).toContain('rm');
  expect(run.result).toContain('Step 2 of 3 was refused.');
  expect(run.files).toEqual([{ path: 'f', size: 0 }]);
});

test('a command that may hide what a rule denies is refused too', async () => {
  const rules: Rules = [{ effect: 'deny', pattern: 'Bash(rm:*)', layer: 'organisation' }];
  const run = await ran(startOf({ rules, prompt: bash('c=r; c=${c}m; $c -r .') }));
  expect(run.steps[1]).toMatchObject({ exitCode: 126 });
});

test('a rule that does not meet the command changes nothing', async () => {
  const rules: Rules = [{ effect: 'deny', pattern: 'Bash(rm:*)', layer: 'organisation' }];
  expect(await ran(startOf({ rules, prompt: bash('echo ok') }))).toMatchObject({
    status: 'succeeded',
    result: 'ok\n',
  });
});

test('an unknown tool and input that a tool cannot read are answers, not failures of the run', async () => {
  const calls = [
    { id: '1', tool: 'Telepathy', input: { thought: 1 } },
    { id: '2', tool: 'Bash', input: { cmd: 'ls' } },
  ];
  const model: Model = {
    name: 'test',
    async next({ messages }): Promise<ModelReply> {
      return messages.length === 1
        ? { kind: 'calls', text: 'trying', calls }
        : { kind: 'final', text: 'gave up', stopReason: 'completed' };
    },
  };
  useDependencies({ model: () => model });
  const run = await ran(startOf());
  expect(run.steps.map(({ exitCode }) => exitCode)).toEqual([undefined, 127, 2, undefined]);
  expect(run).toMatchObject({ status: 'succeeded', result: 'gave up' });
  expect(run.steps[1]).toMatchObject({ tool: 'Telepathy', input: '{"thought":1}' });
});

test('missing commands, a failed step and a skill without steps each end the run in their own way', async () => {
  const missing = await ran(startOf({ prompt: bash('echo 1 > f', 'terraform apply') }));
  expect(missing).toMatchObject({
    status: 'failed',
    stopReason: 'commands_missing',
    usage: { toolCalls: 0 },
    files: [],
  });
  expect(missing.result).toContain('terraform');
  const failed = await ran(startOf({ prompt: bash('echo part; cat nothing', 'echo never') }));
  expect(failed).toMatchObject({ status: 'failed', stopReason: 'step_failed', usage: { toolCalls: 1 } });
  expect(failed.result).toContain('part\n\ncat: nothing: No such file or directory');
  const empty = await ran(startOf({ prompt: 'Just think.' }));
  expect(empty).toMatchObject({ status: 'failed', stopReason: 'no_steps', engine: 'runbook' });
});
