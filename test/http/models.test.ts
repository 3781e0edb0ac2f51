import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { productionDependencies } from '../../src/run/dependencies.ts';
import { RunObject } from '../../src/run/run-object.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

/** A deployment on one's own machine, which may ask the test servers. */
const LOCAL = { ...env, DEPLOYMENT: 'local' };
RunObject.dependencies = (bindings) => productionDependencies({ ...bindings, DEPLOYMENT: 'local' });

const Run = z.object({
  engine: z.string(),
  model: z.string().nullable(),
  status: z.string(),
  stopReason: z.string(),
  result: z.string(),
  steps: z.array(
    z.object({
      kind: z.string(),
      tool: z.string().optional(),
      input: z.string().optional(),
      output: z.string().optional(),
      exitCode: z.number().optional(),
    }),
  ),
  files: z.array(z.object({ path: z.string(), size: z.number() })),
});

const KEY = 'sk-of-the-organisation';
let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  const steps = [
    'wc -l < notes.txt | tr -d " " > lines.txt',
    'echo "$(cat lines.txt) lines, ${1:-none} asked"',
    'cat lines.txt | sed "s/$/ lines/"',
  ].map((step) => `\`\`\`bash\n${step}\n\`\`\``);
  await push(
    token,
    'org',
    treeOf({
      'count/SKILL.md': skillText('count', 'context: fork\n', `Count.\n\n${steps.join('\n\n')}\n`),
      'opus/SKILL.md': skillText('opus', 'context: fork\nmodel: opus\n', 'Say hello.\n'),
      'other/SKILL.md': skillText('other', 'context: fork\nmodel: nobody-knows\n', 'Say hello.\n'),
    }),
  );
  const provider = (kind: string) => ({
    kind,
    baseUrl: `${inject('models')}/${kind}/v1`,
    key: 'organisation:TEST',
  });
  const providers = { claude: provider('anthropic'), chat: provider('openai') };
  const models = { providers, aliases: { opus: 'claude/hello' }, default: 'chat/hello' };
  const put = await call('PUT', '/v1/settings', { token, body: { models }, env: LOCAL });
  expect(put.status).toBe(200);
  expect((await call('PUT', '/v1/secrets/TEST', { token, body: { value: KEY } })).status).toBe(200);
});

async function run(skill: string, model?: string): Promise<z.infer<typeof Run>> {
  const files = [{ path: 'notes.txt', text: 'one\ntwo\n' }];
  const body = { skill, files, trigger: 'user', ...(model !== undefined && { model }) };
  const response = await call('POST', '/v1/runs', { token, body, headers: { Prefer: 'wait=20' } });
  return Run.parse(await response.json());
}

describe('one skill, run by three engines', () => {
  it('makes the same calls and comes to the same result', async () => {
    const runs = await Promise.all(
      ['runbook', 'claude/steps', 'chat/steps'].map((model) => run('count', model)),
    );
    expect(runs.map(({ engine, model }) => [engine, model])).toEqual([
      ['runbook', null],
      ['anthropic', 'steps'],
      ['openai', 'steps'],
    ]);
    const [first, ...others] = runs.map(({ steps, result, files, status, stopReason }) => ({
      calls: steps.filter(({ kind }) => kind === 'tool'),
      result: result.trim(),
      files,
      status,
      stopReason,
    }));
    expect(first).toMatchObject({ result: '2 lines', status: 'succeeded', stopReason: 'completed' });
    expect(first?.calls.map(({ tool, exitCode }) => [tool, exitCode])).toEqual([
      ['Bash', 0],
      ['Bash', 0],
      ['Bash', 0],
    ]);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('the model of a run', () => {
  it.each([
    ['opus', undefined, 'anthropic'],
    ['opus', 'inherit', 'openai'],
    ['opus', 'chat/hello', 'openai'],
    ['other', undefined, 'openai'],
  ])('of %s, asked for %s, is of %s', async (skill, model, engine) => {
    expect(await run(skill, model)).toMatchObject({ engine, model: 'hello', result: 'Hello, world.' });
  });

  it('that nobody has is a problem before anything runs', async () => {
    const body = { skill: 'opus', trigger: 'user', model: 'nobody/hello' };
    const response = await call('POST', '/v1/runs', { token, body });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([422, 'model_unknown']);
  });

  it.each([
    ['claude/down-for-good', 'model_refused_request'],
    ['claude/empty', 'model_output_invalid'],
    ['chat/cut-text', 'output_limit'],
    ['chat/refuses', 'model_refused'],
    ['claude/too-long', 'context_exceeded'],
  ])('%s ends the run as %s', async (model, stopReason) => {
    expect((await run('opus', model)).stopReason).toBe(stopReason);
  });

  it('that calls a tool nobody has, or badly, is told so, until it is clear that it does not learn', async () => {
    for (const model of ['claude/unknown-tool', 'chat/bad-json']) {
      const { stopReason, steps } = await run('opus', model);
      expect(stopReason).toBe('repeated_call');
      expect(steps.filter(({ kind }) => kind === 'tool').map(({ exitCode }) => exitCode)).not.toContain(0);
    }
  });

  it('is not asked without its key, which is nowhere to be seen', async () => {
    const shown = JSON.stringify(await run('count', 'claude/repeats-key'));
    expect(shown).not.toContain(KEY);
    await call('DELETE', '/v1/secrets/TEST', { token });
    expect((await run('opus')).stopReason).toBe('model_refused_key');
    await call('PUT', '/v1/secrets/TEST', { token, body: { value: 'wrong' } });
    expect((await run('opus')).stopReason).toBe('model_refused_key');
  });
});
