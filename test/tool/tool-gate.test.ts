import { beforeEach, expect, test } from 'vitest';
import type { RunStart } from '../../src/invoke/runs/run-contract.ts';
import type { Model, ModelReply } from '../../src/model/model.ts';
import { toolGate } from '../../src/tool/tool-gate.ts';
import { bash, ran, startOf, useDependencies } from '../run/support.ts';

beforeEach(() => useDependencies());

type Rules = RunStart['rules'];

test('Bash needs no rule of the organisation, since it reaches nothing, but has to be declared and granted', () => {
  const tools = (declared: string[], granted: string[]) => ({ declared, granted, missing: [] });
  const decide = (declared: string[], granted: string[], command: string) =>
    toolGate({ rules: [], tools: tools(declared, granted) })('Bash', command).decision;
  expect(decide(['Bash'], ['Bash'], 'for f in *; do rm -rf "$f"; done')).toBe('allow');
  expect(decide([], ['Bash'], 'ls')).toBe('deny');
  expect(decide(['Bash'], [], 'ls')).toBe('deny');
  expect(decide(['Bash(cat:*)'], ['Bash'], 'cat a | cat b')).toBe('allow');
  expect(decide(['Bash(cat:*)'], ['Bash'], 'cat a; rm a')).toBe('deny');
  expect(decide(['Bash'], ['Bash(wc:*)'], 'cat a')).toBe('deny');
  expect(decide(['Bash(cat:*)'], ['Bash'], 'cat $(rm a)')).toBe('deny');
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

test('a path of the workspace goes by its absolute and its relative name, for rules and for grants', () => {
  const decide = (
    patterns: { deny?: string; declared?: string; granted?: string },
    tool: string,
    path: string,
  ) =>
    toolGate({
      rules:
        patterns.deny === undefined
          ? []
          : [{ effect: 'deny', pattern: patterns.deny, layer: 'organisation' }],
      tools: { declared: [patterns.declared ?? tool], granted: [patterns.granted ?? tool] },
    })(tool, path).decision;
  for (const tool of ['Read', 'Write', 'Edit', 'Glob', 'Grep']) {
    const at = '/workspace/reports/a.md';
    expect(decide({}, tool, at)).toBe('allow');
    for (const pattern of ['reports/**', '/workspace/reports/**', '/workspace/**', '**/a.md']) {
      expect([pattern, decide({ deny: `${tool}(${pattern})` }, tool, at)]).toEqual([pattern, 'deny']);
      expect([pattern, decide({ declared: `${tool}(${pattern})` }, tool, at)]).toEqual([pattern, 'allow']);
      expect([pattern, decide({ granted: `${tool}(${pattern})` }, tool, at)]).toEqual([pattern, 'allow']);
    }
    for (const pattern of ['other/**', '/reports/**', '/skills/**', '/tmp/**']) {
      expect([pattern, decide({ declared: `${tool}(${pattern})` }, tool, at)]).toEqual([pattern, 'deny']);
      expect([pattern, decide({ deny: `${tool}(${pattern})` }, tool, at)]).toEqual([pattern, 'allow']);
    }
    expect(decide({ declared: `${tool}(reports/**)` }, tool, '/tmp/reports/a.md')).toBe('deny');
  }
});

test('nobody is asked about what was not declared and granted', () => {
  const rules: Rules = [{ effect: 'ask', pattern: 'Write', layer: 'organisation' }];
  const decide = (declared: string[], granted: string[]) =>
    toolGate({ rules, tools: { declared, granted } })('Write', '/workspace/a').decision;
  expect(decide(['Write'], ['Write'])).toBe('ask');
  expect(decide(['Write(b)'], ['Write'])).toBe('deny');
  expect(decide(['Write'], [])).toBe('deny');
});

test('a deny rule of the organisation refuses the call, which is kept as a step', async () => {
  const rule: Rules[number] = {
    effect: 'deny',
    pattern: 'Bash(rm:*)',
    layer: 'organisation',
    reason: 'keep files',
  };
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

test('a command that nobody can read to the end goes on in its sandbox, unless a rule can be seen to apply', async () => {
  const rules: Rules = [{ effect: 'deny', pattern: 'Bash(rm:*)', layer: 'organisation' }];
  const prompt = bash('for f in a b; do echo "$f" > "$f"; done', 'x=$(cat a); rm "$x"');
  const run = await ran(startOf({ rules, prompt }));
  expect(run.steps.filter(({ kind }) => kind === 'tool').map(({ exitCode }) => exitCode)).toEqual([0, 126]);
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
