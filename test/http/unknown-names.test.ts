import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let token = '';
beforeAll(async () => {
  token = await tokenFor(newOrganisation());
  await push(
    token,
    'org',
    treeOf({
      'deploy/SKILL.md': skillText('deploy'),
      'deploys/SKILL.md': skillText('deploys', 'disable-model-invocation: true\n'),
      'deployx/SKILL.md': skillText('deployx', 'user-invocable: false\n'),
      'deployo/SKILL.md': skillText('deployo'),
      'silent/SKILL.md': skillText('silent', 'policy:\n  allow_implicit_invocation: false\n'),
    }),
  );
  await call('PUT', '/v1/settings', { token, body: { states: { deployo: 'off' } } });
  await push(token, 'user:alice', treeOf({ 'deployy/SKILL.md': skillText('deployy') }));
  const other = await tokenFor(newOrganisation());
  await push(other, 'org', treeOf({ 'deployz/SKILL.md': skillText('deployz') }));
});

interface Refusal {
  code: string;
  errorCode: number;
  detail: string;
  hint: string;
  data?: { nearest?: string[] };
}

const ask = async (path: string, body: unknown): Promise<Refusal> =>
  (await call('POST', path, { token, body })).json();

describe('an unknown name', () => {
  it.each(['/v1/invoke', '/v1/decisions', '/v1/runs'])(
    'at %s is answered with the nearest ones',
    async (path) => {
      const { code, errorCode, hint, data } = await ask(path, { skill: '/deplo' });
      expect([code, errorCode, data]).toEqual(['skill_unknown', 2, { nearest: ['deploy', 'deployx'] }]);
      expect(hint).toContain('Perhaps "deploy" or "deployx" is meant.');
    },
  );

  it('names only what whoever asks can see and start', async () => {
    const nearest = async (path: string, trigger: string) =>
      (await ask(path, { skill: 'deplo', trigger })).data?.nearest;
    expect(await nearest('/v1/invoke', 'model')).toEqual(['deploy', 'deployx']);
    expect(await nearest('/v1/invoke', 'user')).toEqual(['deploy', 'deploys']);
    expect(await nearest('/v1/invoke?scope=user:alice', 'model')).toEqual(['deploy', 'deployx', 'deployy']);
  });

  it('that is near nothing gets the hint alone', async () => {
    const { data, hint } = await ask('/v1/decisions', { skill: 'kubernetes' });
    expect([data, hint]).toEqual([undefined, expect.stringMatching(/^List what is there/)]);
  });
});

describe('a command of the host', () => {
  const session = async (commands: string[]): Promise<string> => {
    const begun = await call('POST', '/v1/sessions', { token, body: { commands } });
    const { id } = z.object({ id: z.string() }).parse(await begun.json());
    return id;
  };

  it.each(['/v1/invoke', '/v1/decisions', '/v1/runs'])('at %s is no skill', async (path) => {
    const body = { skill: ' /clear', session: await session(['/clear', 'compact']) };
    expect(await ask(path, body)).toMatchObject({ code: 'skill_not_prompt', errorCode: 5, status: 422 });
  });

  it('is not known to other sessions, nor hides a skill of its name', async () => {
    const others = { skill: 'clear', session: await session(['compact']) };
    expect((await ask('/v1/invoke', others)).errorCode).toBe(2);
    const same = { skill: 'deployx', session: await session(['deployx']) };
    expect(await ask('/v1/invoke', same)).toMatchObject({ status: 'inline' });
  });

  it.each([[['']], [['/']], [['x'.repeat(129)]], [Array.from({ length: 257 }, (_, at) => `c${at}`)]])(
    'has a name, and there are not too many: %#',
    async (commands) => {
      expect((await call('POST', '/v1/sessions', { token, body: { commands } })).status).toBe(400);
    },
  );
});

describe('a skill that only people start', () => {
  it.each([
    ['deploys', 'its author disables model invocation'],
    ['silent', 'its author allows no implicit invocation'],
  ])('%s says why', async (skill, why) => {
    const { errorCode, detail } = await ask('/v1/invoke', { skill });
    expect([errorCode, detail]).toEqual([4, expect.stringContaining(why)]);
  });
});
