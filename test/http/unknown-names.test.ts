import { beforeAll, describe, expect, it } from 'vitest';
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

describe('a skill that only people start', () => {
  it.each([
    ['deploys', 'its author disables model invocation'],
    ['silent', 'its author allows no implicit invocation'],
  ])('%s says why', async (skill, why) => {
    const { errorCode, detail } = await ask('/v1/invoke', { skill });
    expect([errorCode, detail]).toEqual([4, expect.stringContaining(why)]);
  });
});
