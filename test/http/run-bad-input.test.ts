/** Whatever a model or a tool comes up with, a run ends, with a name for it and a record: over HTTP and both wire formats. */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { engineOf } from '../../src/model/engine.ts';
import { productionDependencies } from '../../src/run/dependencies.ts';
import { enginePorts } from '../../src/run/engine-ports.ts';
import { runbook } from '../../src/run/runbook.ts';
import { RunObject } from '../../src/run/run-object.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { HTTP_ENGINES } from '../model/support.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const LOCAL = { ...env, DEPLOYMENT: 'local' };
/** Nobody waits for minutes here. */
const TIMES = {
  callMilliseconds: 15_000,
  idleMilliseconds: 2_000,
  tries: 2,
  firstWaitMilliseconds: 10,
  longestWaitMilliseconds: 100,
};
const timesOf = (model: string) => (model === 'drip' ? { ...TIMES, callMilliseconds: 2_000 } : TIMES);
RunObject.dependencies = (bindings) => ({
  ...productionDependencies({ ...bindings, DEPLOYMENT: 'local' }),
  model: ({ model, steps, organisation }) =>
    model.engine === 'runbook'
      ? runbook(steps)
      : engineOf(
          model,
          enginePorts({ ...bindings, DEPLOYMENT: 'local' }, organisation),
          timesOf(model.model),
        ),
});

const Run = z.looseObject({
  status: z.string(),
  stopReason: z.string(),
  result: z.string(),
  steps: z.array(
    z.looseObject({
      kind: z.string(),
      state: z.string(),
      output: z.string().optional(),
      endedAt: z.string().optional(),
    }),
  ),
  files: z.array(z.looseObject({ path: z.string() })),
  endedAt: z.string(),
});
type Run = z.infer<typeof Run>;

const bash = (script: string) => `\`\`\`bash\n${script}\n\`\`\`\n`;
const HOOKS =
  'hooks: {PreToolUse: [{hooks: [{type: command, command: "while true; do sleep 1; done", timeout: 1}]}]}\n';

let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  const skill = (name: string, body: string, more = '') => skillText(name, `context: fork\n${more}`, body);
  await push(
    token,
    'org',
    treeOf({
      'plain/SKILL.md': skill('plain', 'Do it.\n'),
      'controls/SKILL.md': skill('controls', bash(`printf 'a\\033[31mb\\000c\\007d\\r\\n'`)),
      'quota/SKILL.md': skill(
        'quota',
        bash('echo kept > kept') + bash('for i in $(seq 50); do cp in f$i; done'),
      ),
      'hooked/SKILL.md': skill('hooked', bash('echo through'), HOOKS),
    }),
  );
  const provider = (kind: string) => ({
    kind,
    baseUrl: `${inject('models')}/${kind}/v1`,
    key: 'organisation:TEST',
  });
  const providers = Object.fromEntries(HTTP_ENGINES.map((kind) => [kind, provider(kind)]));
  const permissions = { allow: ['Skill(*)'] };
  const body = { models: { providers }, hooks: { command: 'sandbox' }, permissions };
  expect((await call('PUT', '/v1/settings', { token, body, env: LOCAL })).status).toBe(200);
  expect((await call('PUT', '/v1/secrets/TEST', { token, body: { value: 'sk-x' } })).status).toBe(200);
});

async function run(skill: string, model: string, more: object = {}): Promise<Run> {
  const body = { skill, model, trigger: 'user', ...more };
  const response = await call('POST', '/v1/runs', { token, body, headers: { Prefer: 'wait=25' } });
  const ended = Run.parse(await response.json());
  // Each step that was begun is there, and none is open for ever.
  expect(ended.steps.length).toBeGreaterThan(0);
  for (const step of ended.steps) expect(step).toMatchObject({ endedAt: expect.any(String) });
  return ended;
}

describe.each(HTTP_ENGINES)('a model that speaks as %s does', (engine) => {
  it.each([
    ['empty', 'model_output_invalid'],
    ['garbage', 'model_output_invalid'],
    ['huge', 'model_output_invalid'],
    ['many-calls', 'model_output_invalid'],
    ['writes-much', 'model_output_invalid'],
    ['closed', /^model_(?:unavailable|output_invalid)$/],
    ['drip', 'model_timed_out'],
    ['mute', 'model_timed_out'],
    ['cut-text', 'output_limit'],
    ['refuses', 'model_refused'],
    ['cut-call', 'repeated_call'],
    ['bad-json', 'repeated_call'],
    ['unknown-tool', 'repeated_call'],
    ['strange-tool', 'repeated_call'],
  ])('%s: %s', async (model, stopReason) => {
    const ended = await run('plain', `${engine}/${model}`);
    expect(ended.stopReason).toEqual(
      typeof stopReason === 'string' ? stopReason : expect.stringMatching(stopReason),
    );
    expect(ended.files).toEqual([]);
    expect(ended.status).toMatch(/^(?:failed|stopped)$/);
  });

  it('one byte at a time: the time of the run ends it, where that is shorter', async () => {
    const ended = await run('plain', `${engine}/drip`, { limits: { seconds: 1 } });
    expect(ended).toMatchObject({ status: 'stopped', stopReason: 'wall_time_limit' });
  });

  it('control characters of a tool reach neither the model nor whoever reads the run', async () => {
    const ended = await run('controls', `${engine}/steps`);
    expect(ended).toMatchObject({ status: 'succeeded' });
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(JSON.stringify([ended.result, ended.steps])).not.toMatch(/\\u00|[\u0000-\u001f]/);
    expect(ended.result).toContain('d');
  });

  it('a workspace over its quota ends the run, and keeps what was there before the call', async () => {
    const ended = await run('quota', `${engine}/steps`, {
      files: [{ path: 'in', text: 'x'.repeat(1_000_000) }],
    });
    expect(ended).toMatchObject({ status: 'stopped', stopReason: 'workspace_limit' });
    expect(ended.files.map(({ path }) => path)).toEqual(['in', 'kept']);
  });

  it('a hook that never answers is a step that ended, and stops nothing', async () => {
    const ended = await run('hooked', `${engine}/steps`);
    expect(ended).toMatchObject({ status: 'succeeded', result: expect.stringContaining('through') });
    const hooks = ended.steps.filter(({ kind }) => kind === 'hook');
    expect(hooks).toMatchObject([{ state: 'done', output: expect.stringMatching(/^failed: .*deadline/s) }]);
  });
});
