/** What a run may do with other skills is what its caller may, however the model writes their names: over HTTP. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { productionDependencies } from '../../src/run/dependencies.ts';
import { RunObject } from '../../src/run/run-object.ts';
import { runbook } from '../../src/run/runbook.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { calls, says, scripted } from '../run/scripted.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const Run = z.looseObject({
  status: z.string(),
  result: z.string().nullable(),
  requiredActions: z.array(z.looseObject({ tool: z.string(), reason: z.string().nullable() })),
});
const NAMES = ['clean', '/clean', 'org/clean', 'skill://clean'];

/** Uses the skill that its own arguments name, and hands back what came of it. */
const uses = (prompt: string) =>
  scripted(calls(['Skill', { skill: /ARGUMENTS: (\S+)/.exec(prompt)?.[1] ?? '' }]), ({ messages }) => {
    const last = messages.at(-1);
    return says(last?.role === 'tool' ? last.result.stdout + last.result.stderr : '');
  });

let token = '';
beforeAll(async () => {
  RunObject.dependencies = (bindings) => ({
    ...productionDependencies(bindings),
    model: ({ skill, prompt, steps }) => (skill.name === 'outer' ? uses(prompt) : runbook(steps)),
  });
  token = await tokenFor(newOrganisation());
  await push(
    token,
    'org',
    treeOf({
      'outer/SKILL.md': skillText('outer', 'context: fork\n', 'Use a skill.\n'),
      'clean/SKILL.md': skillText('clean', 'context: fork\n', '```bash\nrm -f x; echo clean\n```\n'),
    }),
  );
  const local = { kind: 'openai', baseUrl: 'https://models.example.org/v1' };
  const settings = {
    models: { providers: { local }, default: 'local/small' },
    agents: { narrow: { states: { clean: 'off' } } },
  };
  expect((await call('PUT', '/v1/settings', { token, body: settings })).status).toBe(200);
  const policy = { rules: [{ effect: 'deny', pattern: 'Bash(rm:*)' }] };
  expect((await call('PUT', '/v1/policy?layer=project:strict', { token, body: policy })).status).toBe(200);
});

async function outcome(args: string, body: object = {}, query = '') {
  const response = await call('POST', `/v1/runs${query}`, {
    token,
    body: { skill: 'outer', args, trigger: 'user', ...body },
    headers: { Prefer: 'wait=20' },
  });
  return Run.parse(await response.json());
}

async function sessionWith(rules: readonly object[], body: object = {}): Promise<string> {
  const headers = () => ({ 'Idempotency-Key': crypto.randomUUID() });
  const made = await call('POST', '/v1/sessions', { token, body, headers: headers() });
  const { id } = z.looseObject({ id: z.string() }).parse(await made.json());
  if (rules.length > 0) {
    const added = await call('POST', `/v1/sessions/${id}/rules`, {
      token,
      body: { add: rules },
      headers: headers(),
    });
    expect(added.status).toBe(200);
  }
  return id;
}

const DENY = { effect: 'deny', pattern: 'Skill(clean)' };
const ASK = { effect: 'ask', pattern: 'Skill(clean)' };
const NO_REMOVAL = { effect: 'deny', pattern: 'Bash(rm:*)' };

describe.each(NAMES)('a skill that a run names as %s', (name) => {
  it('is used where nothing is against it', async () => {
    expect(await outcome(name)).toMatchObject({ status: 'succeeded', result: 'clean\n' });
  });

  it('is denied or asked about as a rule of the call says, and one of the session', async () => {
    const denied = [{ rules: [DENY] }, { session: await sessionWith([DENY]) }];
    for (const body of denied)
      expect((await outcome(name, body)).result, JSON.stringify(body)).toMatch(/rule Skill\(clean\)/);
    const asked = [{ rules: [ASK] }, { session: await sessionWith([ASK]) }];
    for (const body of asked)
      expect(await outcome(name, body), JSON.stringify(body)).toMatchObject({
        status: 'requires_action',
        requiredActions: [{ tool: 'Skill', reason: expect.stringContaining('Skill(clean)') }],
      });
  });

  it('is not there where its caller does not have it', async () => {
    const off = [{ agent: 'narrow' }, { session: await sessionWith([], { states: { clean: 'off' } }) }];
    for (const body of off)
      expect((await outcome(name, body)).result, JSON.stringify(body)).toMatch(/^no skill/);
  });
});

describe('a run below another one', () => {
  it('has the rules of the call, of its session, and of layers without a skill', async () => {
    const bodies = [{ rules: [NO_REMOVAL] }, { session: await sessionWith([NO_REMOVAL]) }];
    for (const body of bodies)
      expect((await outcome('clean', body)).result, JSON.stringify(body)).toMatch(/rule Bash\(rm:\*\)/);
    const strict = await outcome('clean', {}, '?scope=project:strict');
    expect(strict.result).toMatch(/rule Bash\(rm:\*\)/);
  });
});
