/** Who follows the instructions of a forked skill, and all that a model is told besides them. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runTools } from '../../src/invoke/runs/run-tools.ts';
import type { ModelRequest } from '../../src/model/model.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { says, scripted } from './scripted.ts';
import { useDependencies } from './support.ts';

let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  const fork = (name: string, more = '') =>
    skillText(name, `context: fork\n${more}`, `Do ${name} with $ARGUMENTS.\n`);
  await push(
    token,
    'org',
    treeOf({
      'plain/SKILL.md': fork('plain'),
      'look/SKILL.md': fork('look', 'agent: Explore\neffort: high\n'),
      'audit/SKILL.md': fork('audit', 'agent: auditor\nallowed-tools: Read Write\n'),
      'lonely/SKILL.md': fork('lonely', 'allowed-tools: Read\n'),
      'count/SKILL.md': fork('count', 'result_schema:\n  type: object\n  required: [count]\n'),
      'helper/SKILL.md': skillText('helper', '', 'Help.\n'),
    }),
  );
  const provider = {
    kind: 'openai',
    baseUrl: 'https://models.example.org/v1',
    models: { small: { contextTokens: 50_000 } },
  };
  const body = {
    models: { providers: { ours: provider }, default: 'ours/small' },
    subagents: { auditor: { system: 'You audit.', tools: ['Read'], limits: { turns: 3 } } },
    permissions: { allow: ['Skill(*)'] },
  };
  expect((await call('PUT', '/v1/settings', { token, body })).status).toBe(200);
});

let seen: ModelRequest[] = [];
beforeEach(() => {
  seen = [];
  useDependencies({
    pauseMilliseconds: 0,
    model: () =>
      scripted((request) => {
        seen.push(request);
        return says('{"count": 1}');
      }),
  });
});

const Run = z.looseObject({ agent: z.string(), tools: z.looseObject({ missing: z.array(z.string()) }) });

async function ran(skill: string, more: object = {}) {
  const headers = { Prefer: 'wait=20' };
  const response = await call('POST', '/v1/runs', { token, body: { skill, args: 'care', ...more }, headers });
  return Run.parse(await response.json());
}

const toolNames = () => seen[0]?.tools.map(({ name }) => name).toSorted();

test('the expanded skill is the first message of the user, and nothing of the caller’s conversation is there', async () => {
  await ran('plain');
  expect(seen[0]?.messages).toHaveLength(1);
  expect(seen[0]?.messages[0]).toMatchObject({ role: 'user' });
  expect(JSON.stringify(seen[0]?.messages)).toContain('Do plain with care.');
});

describe('an agent', () => {
  test('of ours has a system prompt, all tools of the sandbox and the listing of its caller', async () => {
    expect(await ran('plain')).toMatchObject({ agent: 'general-purpose', engine: 'openai', model: 'small' });
    expect(seen[0]?.agent).toBe('general-purpose');
    expect(seen[0]?.system).toContain('Your last message is all that is handed back.');
    expect(seen[0]?.system).toContain('helper');
    expect(toolNames()).toEqual(['Bash', 'Edit', 'Glob', 'Grep', 'Read', 'Skill', 'Write']);
  });

  test('that explores changes nothing, and thinks as hard as the skill says', async () => {
    expect(await ran('look')).toMatchObject({ agent: 'explore', tools: { missing: [] } });
    expect(toolNames()).toEqual(['Bash', 'Glob', 'Grep', 'Read', 'Skill']);
    expect(seen[0]?.effort).toBe('high');
  });

  test('of the organisation has its own prompt, tools and limits', async () => {
    expect(await ran('audit')).toMatchObject({
      agent: 'auditor',
      limits: { turns: 3 },
      tools: { declared: ['Read'], missing: ['Write'] },
    });
    expect(seen[0]?.system).toBe('You audit.');
    expect(toolNames()).toEqual(['Read']);
  });
});

describe('tools of servers that an agent of the organisation has', () => {
  const agent = { name: 'clerk', system: 'You file.', model: null, limits: {} };
  test.each<[string[], string[], string[], string[]]>([
    [['mcp__desk__search'], ['mcp__desk__*', 'Read'], ['mcp__desk__search'], ['Read']],
    [['mcp__desk__search'], ['mcp__desk'], ['mcp__desk__search'], []],
    [['mcp__desk'], ['mcp__desk__search', 'mcp__desk__*'], ['mcp__desk__search', 'mcp__desk__*'], []],
    [['mcp__desk__search'], ['mcp__desk__delete'], [], ['mcp__desk__delete']],
    [['mcp__desk__search', 'Bash'], ['Bash(git:*)', 'mcp__other__*'], ['Bash(git:*)'], ['mcp__other__*']],
    [['mcp__desk__a', 'mcp__desk__b'], ['mcp__*'], ['mcp__desk__a', 'mcp__desk__b'], []],
    [[], ['Read'], [], ['Read']],
  ])('%j of what a skill declares as %j are %j', (tools, asked, declared, missing) => {
    expect(runTools(asked, { ...agent, tools }, { grants: asked })).toMatchObject({ declared, missing });
  });
});

test('a skill that does not ask for skills gets no listing of them', async () => {
  await ran('lonely');
  expect(seen[0]?.system).not.toContain('helper');
  expect(toolNames()).toEqual(['Read']);
});

test('a skill says in its frontmatter what its result is', async () => {
  expect(await ran('count')).toMatchObject({
    status: 'succeeded',
    resultFormat: 'json',
    result: '{"count": 1}',
  });
  expect(await ran('count', { resultSchema: { type: 'array' } })).toMatchObject({
    status: 'failed',
    stopReason: 'result_invalid',
  });
});

test('a limit of cost is refused where nobody set prices', async () => {
  const body = { skill: 'plain', limits: { cost: 1 } };
  const refused = await call('POST', '/v1/runs', { token, body });
  expect(await refused.json()).toMatchObject({ code: 'run_refused', at: 'limits.cost' });
});

test('tools of the host are offered with ours', async () => {
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
  await ran('plain', { clientTools: [{ name: 'ask_host', description: 'Asks', inputSchema }] });
  expect(seen[0]?.tools.at(-1)).toEqual({ name: 'ask_host', description: 'Asks', inputSchema });
});
