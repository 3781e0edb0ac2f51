import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { SessionClient } from './support.ts';

let organisation = '';
let token = '';

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await push(token, 'org', treeOf({ 'a/SKILL.md': skillText('a') }));
  await push(token, 'user:alice', treeOf({ 'mine/SKILL.md': skillText('mine') }));
  vi.useRealTimers();
});

const object = (id: string) => env.SESSION.getByName(`${organisation}/${id}`);

describe('a session', () => {
  it('tells what it knows', async () => {
    const session = await SessionClient.begin(organisation, token, { scope: 'user:alice' });
    await session.list('?agent=b');
    await session.list('?agent=a');
    const { status, body } = await session.call('GET', '');
    expect([status, body]).toMatchObject([
      200,
      {
        id: session.id,
        startedBy: 'test',
        layers: ['bundled', 'org', 'user:alice'],
        agents: [
          { agent: 'a', sequence: 1, skillCount: 2, activated: [], invoked: [] },
          { agent: 'b', sequence: 1, skillCount: 2 },
        ],
      },
    ]);
    expect(Object.keys(Object(body['catalogs']))).toEqual(['org', 'user:alice']);
  });

  it('ends when it is deleted, and leaves nothing', async () => {
    const session = await SessionClient.begin(organisation, token);
    await session.list();
    expect((await session.call('DELETE', '')).status).toBe(204);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/listing'],
      ['POST', '/compact'],
      ['POST', '/paths'],
    ] as const)
      expect(await session.call(method, path)).toMatchObject({
        status: 404,
        body: { code: 'session_unknown' },
      });
    await runInDurableObject(object(session.id), async (_, { storage }) => {
      expect(storage.sql.databaseSize).toBeLessThanOrEqual(4_096);
      expect(await storage.getAlarm()).toBeNull();
    });
  });

  it('expires when it was not used for long enough, and not before', async () => {
    const session = await SessionClient.begin(organisation, token, { body: { idleMinutes: 10 } });
    await session.list();
    expect(await runDurableObjectAlarm(object(session.id))).toBe(true);
    expect((await session.call('GET', '')).status).toBe(200);
    await runInDurableObject(object(session.id), (_, { storage }) => {
      storage.sql.exec('UPDATE session SET last_used_at = last_used_at - 600001');
    });
    expect((await session.call('POST', '/listing')).status).toBe(404);
    expect(await runDurableObjectAlarm(object(session.id))).toBe(true);
    await runInDurableObject(object(session.id), async (_, { storage }) => {
      expect(storage.sql.exec(`SELECT name FROM sqlite_master WHERE name = 'session'`).toArray()).toEqual([]);
      expect(await storage.getAlarm()).toBeNull();
    });
  });

  it('is used by whatever is done in it, in an object that remembers it', async () => {
    const session = await SessionClient.begin(organisation, token, { body: { idleMinutes: 1 } });
    const path = `/v1/sessions/${session.id}`;
    const begun = Date.now();
    vi.useFakeTimers({ toFake: ['Date'] });
    // Not through the client, which would evict the object.
    const uses: [string, unknown][] = [
      [`${path}/hooks/Stop`, {}],
      [`${path}/hooks/Stop`, {}],
      [`${path}/listing`, undefined],
      [`${path}/hooks/Stop`, {}],
      [`${path}/paths`, {}],
      ['/v1/invoke', { skill: 'a', session: session.id }],
      ['/v1/invoke', { skill: 'a', session: session.id }],
      [`${path}/compact`, undefined],
    ];
    for (const [at, [use, body]] of uses.entries()) {
      vi.setSystemTime(begun + (at + 1) * 50_000);
      const headers = { 'Idempotency-Key': `use ${at}` };
      expect([use, (await call('POST', use, { token, body, headers })).status]).toEqual([use, 200]);
    }
    vi.setSystemTime(Date.now() + 60_000);
    expect((await call('GET', path, { token })).status).toBe(404);
  });

  it('begins anew where its key is used again after its end, with nothing of the one before', async () => {
    const headers = { 'Idempotency-Key': 'the same' };
    const begin = async () => SessionClient.begin(organisation, token, { headers });
    const before = await begin();
    await call('POST', '/v1/invoke', { token, body: { skill: 'a', session: before.id } });
    await push(token, 'org', treeOf({ 'b/SKILL.md': skillText('b') }));
    const invoke = async (skill: string) =>
      (await call('POST', '/v1/invoke', { token, body: { skill, session: before.id } })).json<
        Record<string, unknown>
      >();
    expect(await invoke('a')).toMatchObject({ alreadyLoaded: true });
    await call('DELETE', `/v1/sessions/${before.id}`, { token });
    expect((await begin()).id).toBe(before.id);
    expect(await invoke('a')).toMatchObject({ code: 'skill_unknown' });
    expect(await invoke('b')).toMatchObject({ alreadyLoaded: false });
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 24 * 3_600_000);
    expect((await begin()).id).toBe(before.id);
    expect((await call('POST', `/v1/sessions/${before.id}/listing`, { token })).status).toBe(200);
    expect(await invoke('b')).toMatchObject({ alreadyLoaded: false });
  });

  it('takes its time from the organisation where its caller says nothing', async () => {
    await call('PUT', '/v1/settings', { token, body: { sessions: { idleMinutes: 5 } } });
    const { body } = await (await SessionClient.begin(organisation, token)).call('GET', '');
    expect(Date.parse(String(body['expiresAt'])) - Date.parse(String(body['lastUsedAt']))).toBe(300_000);
  });

  it('belongs to its organisation, and to tokens with the same bounds', async () => {
    const bound = await tokenFor(organisation, { layers: ['user:alice'] });
    const session = await SessionClient.begin(organisation, bound, { scope: 'user:alice' });
    const stranger = await tokenFor(newOrganisation());
    const otherBounds = await tokenFor(organisation, { layers: ['user:bob'] });
    for (const [other, status] of [
      [stranger, 404],
      [otherBounds, 404],
      [token, 200],
      [bound, 200],
    ] as const)
      expect((await session.call('GET', '', { token: other })).status).toBe(status);
    const unbound = await SessionClient.begin(organisation, token);
    expect((await unbound.call('GET', '', { token: bound })).status).toBe(404);
  });

  it('is not made by asking for it', async () => {
    const id = `ses_${'0'.repeat(26)}`;
    for (const path of [id, 'nonsense', `ses_${'0'.repeat(25)}`, '..%2Fx']) {
      const answer = await call('GET', `/v1/sessions/${path}`, { token });
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'session_unknown' }]);
    }
    await runInDurableObject(object(id), (_, { storage }) => {
      expect(storage.sql.databaseSize).toBeLessThanOrEqual(4_096);
    });
  });

  it('has a bounded number of agents', async () => {
    const session = await SessionClient.begin(organisation, token);
    for (let agent = 0; agent < 64; agent += 1)
      expect(
        (await call('POST', `/v1/sessions/${session.id}/listing?agent=${agent}`, { token })).status,
      ).toBe(200);
    expect(await session.call('POST', '/listing?agent=more')).toMatchObject({
      status: 400,
      body: { code: 'bad_request', at: 'agent' },
    });
    expect((await session.call('POST', '/listing?agent=63')).status).toBe(200);
  });
});

describe('a request to a session', () => {
  it.each([
    ['/listing?profile=codex', 'profile'],
    ['/listing?unit=tokens', 'unit'],
    ['/listing?tool=1', 'tool'],
    ['/listing?coverage=full', 'coverage'],
    ['/listing?budget=250001', 'budget'],
    ['/listing?after=-1', 'after'],
    ['/listing?refresh=yes', 'refresh'],
    [`/listing?agent=${'a'.repeat(65)}`, 'agent'],
    ['/compact?context_window=0', 'context_window'],
  ])('is refused where it makes no sense: %s', async (path, at) => {
    const session = await SessionClient.begin(organisation, token);
    expect(await session.call('POST', path)).toMatchObject({
      status: 400,
      body: { code: 'bad_request', at },
    });
  });

  it('is refused where its body is not what it takes', async () => {
    const session = await SessionClient.begin(organisation, token);
    for (const body of [
      { paths: 'a' },
      { paths: [''] },
      { path: ['a'] },
      { paths: Array(65).fill('a') },
      '{',
    ])
      expect((await session.call('POST', '/paths', { body })).status).toBe(400);
    for (const body of [{ idleMinutes: 0 }, { idleMinutes: 43_201 }, { states: { a: 'maybe' } }, { x: 1 }])
      expect((await call('POST', '/v1/sessions', { token, body })).status).toBe(400);
    const headers = { 'Idempotency-Key': 'k'.repeat(201) };
    expect((await session.call('POST', '/listing', { headers })).status).toBe(400);
  });
});
