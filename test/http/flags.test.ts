import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';

const TREE = treeOf({ 'plain/SKILL.md': skillText('plain'), 'preview/SKILL.md': skillText('preview') });

/** An organisation with one skill that waits for a flag. */
async function gated() {
  const organisation = newOrganisation();
  const token = await tokenFor(organisation);
  const { response } = await push(token, 'org', TREE, {
    choose: ({ name }) => ({ listing: 'auto', flag: name === 'preview' ? 'beta' : undefined }),
  });
  expect(response.status).toBe(200);
  await settle(organisation);
  return token;
}

/** What a caller can make out of the skill, by every way that there is to one. */
async function seen(token: string, FLAGS = '') {
  const get = async (path: string) => call('GET', path, { token, env: { ...env, FLAGS } });
  const post = async (path: string) =>
    call('POST', path, { token, body: { skill: 'preview' }, env: { ...env, FLAGS } });
  const names = async (path: string) => JSON.stringify(await (await get(path)).json()).includes('preview');
  return {
    listing: await names('/v1/listing'),
    page: await names('/v1/skills'),
    search: await names('/v1/skills/search?q=does'),
    details: (await get('/v1/skills/preview')).status,
    body: (await get('/v1/skills/org%2Fpreview/body')).status,
    decision: (await post('/v1/decisions')).status,
    invoke: (await post('/v1/invoke')).status,
    run: (await post('/v1/runs')).status,
  };
}

const NOT_THERE = {
  listing: false,
  page: false,
  search: false,
  details: 404,
  body: 404,
  decision: 404,
  invoke: 404,
  run: 404,
};
const THERE = {
  listing: true,
  page: true,
  search: true,
  details: 200,
  body: 200,
  decision: 200,
  invoke: 200,
  run: 202,
};

describe('a skill that waits for a flag', () => {
  it('is not there without it', async () => {
    expect(await seen(await gated())).toEqual(NOT_THERE);
  });

  it('is there where the deployment has the flag', async () => {
    const token = await gated();
    expect(await seen(token, 'alpha,beta')).toEqual(THERE);
    expect(await seen(token, 'alpha')).toEqual(NOT_THERE);
  });

  it('is there for an organisation that has the flag, and for no other', async () => {
    const [token, other] = [await gated(), await gated()];
    await call('PUT', '/v1/settings', { token, body: { flags: ['beta'] } });
    expect(await seen(token)).toEqual(THERE);
    expect(await seen(other)).toEqual(NOT_THERE);
  });
});
