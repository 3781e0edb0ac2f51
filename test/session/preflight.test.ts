import { beforeEach, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { SessionClient } from './support.ts';

let organisation = '';
let token = '';

const SKILLS = {
  'merge/SKILL.md': skillText(
    'merge',
    'requires: {bins: [gh], env: [TOKEN, {name: EXTRA, optional: true}]}\n',
  ),
  'plain/SKILL.md': skillText('plain'),
  'release/SKILL.md': skillText('release', 'requires: {bins: [gh], skills: [pdf]}\n'),
};
const TS = { 'lint/SKILL.md': skillText('lint', 'paths: "*.ts"\nrequires: {bins: [eslint]}\n') };

const publish = async (skills: Record<string, string>): Promise<void> => {
  expect((await push(token, 'org', treeOf(skills))).response.status).toBe(200);
};
const settings = (requirements: string) => call('PUT', '/v1/settings', { token, body: { requirements } });
const begin = (has?: unknown) =>
  SessionClient.begin(organisation, token, { body: has === undefined ? {} : { has } });

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await publish(SKILLS);
});

describe('a session whose host says what it has', () => {
  it('lists what is missing, and asks nothing unless the organisation wants it', async () => {
    const session = await begin({ bins: ['git'], env: ['TOKEN'] });
    const listing = await session.list();
    expect(listing['text']).toBe(
      '- merge: Does merge. (needs gh)\n- plain: Does plain.\n- release: Does release. (needs gh, pdf)',
    );
    expect(listing).not.toHaveProperty('preflight');
    expect(listing).not.toHaveProperty('missing');
  });

  it('knows of skills by itself, and of nothing else', async () => {
    expect((await (await begin()).list())['text']).toBe(
      '- merge: Does merge.\n- plain: Does plain.\n- release: Does release. (needs pdf)',
    );
  });

  it('hides what cannot be used where the organisation wants it, and shows it once it can', async () => {
    await settings('hide');
    const session = await begin({ bins: [] });
    expect((await session.list())['text']).toBe('- plain: Does plain.');
    const told = await session.call('POST', '/host', { body: { has: { bins: ['gh'], skills: ['pdf'] } } });
    expect(told).toEqual({
      status: 200,
      body: { has: { bins: ['gh'], skills: ['pdf'] }, declined: false },
    });
    expect(await session.list()).toMatchObject({ added: ['merge', 'release'], gone: [] });
    await session.call('POST', '/host', { body: { has: { bins: [] } } });
    expect(await session.list()).toMatchObject({ text: 'No longer available: merge, release.' });
  });

  it('is read with it, and keeps what it said of other kinds', async () => {
    const session = await begin({ bins: ['git'], env: ['A'] });
    await session.call('POST', '/host', { body: { has: { env: [] }, declined: true } });
    expect((await session.call('GET', '')).body).toMatchObject({
      host: { platform: null, has: { bins: ['git'], env: [] }, declined: true },
    });
  });

  it('answers a repeated change as before, and refuses what is none', async () => {
    const session = await begin();
    const headers = { 'Idempotency-Key': 'k' };
    const first = await session.call('POST', '/host', { headers, body: { has: { bins: ['a'] } } });
    await session.call('POST', '/host', { body: { has: { bins: ['b'] } } });
    expect(await session.call('POST', '/host', { headers, body: { has: { bins: ['a'] } } })).toEqual(first);
    expect((await session.call('GET', '')).body).toMatchObject({ host: { has: { bins: ['b'] } } });
    expect(await session.call('POST', '/host', { headers, body: {} })).toMatchObject({ status: 409 });
    const many = Array.from({ length: 200 }, (_, at) => `${at}`.padEnd(128, 'x'));
    expect((await session.call('POST', '/host', { body: { has: { tools: many } } })).status).toBe(200);
    expect(await session.call('POST', '/host', { body: { has: { config: many } } })).toMatchObject({
      status: 400,
      body: { at: 'has' },
    });
    for (const body of [{ has: { bins: 'a' } }, { has: { env: { A: 'secret' } } }, { bins: [] }])
      expect((await session.call('POST', '/host', { body })).status).toBe(400);
    expect((await call('POST', '/v1/sessions', { token, body: { has: { x: [] } } })).status).toBe(400);
    expect(await session.call('POST', '/listing?has=bins:gh')).toMatchObject({ status: 400 });
    expect(
      await new SessionClient(organisation, token, `ses_${'0'.repeat(26)}`).call('POST', '/host'),
    ).toMatchObject({ status: 404, body: { code: 'session_unknown' } });
  });
});

describe('a host that is to be asked', () => {
  beforeEach(() => settings('ask'));

  it('is asked once for everything, and again only for what is new', async () => {
    const session = await begin({ bins: [], env: [] });
    expect((await session.list())['preflight']).toEqual({
      question: expect.stringMatching(
        /^Some skills need what is not there:\n- the program gh, for merge, release\n/,
      ),
      missing: [
        { kind: 'bins', oneOf: ['gh'], skills: ['merge', 'release'] },
        { kind: 'env', oneOf: ['TOKEN'], skills: ['merge'] },
        { kind: 'skills', oneOf: ['pdf'], skills: ['release'] },
      ],
    });
    expect(await session.list()).not.toHaveProperty('preflight');
    expect(await session.list('?agent=other')).not.toHaveProperty('preflight');
    expect((await session.compact()).listing).not.toHaveProperty('preflight');
    await publish({ ...SKILLS, ...TS });
    expect(await session.list('?refresh=1')).not.toHaveProperty('preflight');
    await session.call('POST', '/paths', { body: { paths: ['a.ts'] } });
    expect((await session.list())['preflight']).toMatchObject({
      missing: [{ kind: 'bins', oneOf: ['eslint'], skills: ['lint'] }],
    });
    expect(await session.list()).not.toHaveProperty('preflight');
  });

  it('is asked in the same words when the answer was lost', async () => {
    const session = await begin({ bins: [] });
    const first = await session.list('?after=0');
    expect(first).toHaveProperty('preflight');
    expect(await session.list('?after=0')).toEqual(first);
  });

  it('answers by what it has, or by going on without it', async () => {
    const session = await begin({ bins: [], env: [], skills: ['pdf'] });
    await session.list();
    await session.call('POST', '/host', { body: { has: { bins: ['gh'], env: ['TOKEN'] } } });
    expect(await session.list()).toMatchObject({ changed: ['merge', 'release'] });
    await session.call('POST', '/host', { body: { declined: true } });
    await publish({ ...SKILLS, 'new/SKILL.md': skillText('new', 'requires: {bins: [jq]}\n') });
    const listing = await session.list('?refresh=1');
    expect(listing).toMatchObject({ text: '- new: Does new. (needs jq)' });
    expect(listing).not.toHaveProperty('preflight');
    await session.call('POST', '/host', { body: { declined: false } });
    expect((await session.list())['preflight']).toMatchObject({ missing: [{ oneOf: ['jq'] }] });
  });

  it('is not asked where nothing is missing, nor outside of a session', async () => {
    const session = await begin({ bins: ['gh'], env: ['TOKEN'], skills: ['pdf'] });
    expect(await session.list()).not.toHaveProperty('preflight');
    const answer = await call('GET', '/v1/listing?has=bins:,env:TOKEN&coverage=full', { token });
    const { listing, preflight, coverage } = await answer.json<Record<string, unknown>>();
    expect(listing).toContain('- merge: Does merge. (needs gh)\n');
    expect(preflight).toBeUndefined();
    expect(coverage).toMatchObject({
      rows: [
        { name: 'merge', missing: [{ kind: 'bins', oneOf: ['gh'] }] },
        { name: 'plain' },
        { name: 'release' },
      ],
    });
  });
});
