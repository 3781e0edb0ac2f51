import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { tokenKey } from '../../src/store/keys.ts';
import { records } from '../../src/store/records.ts';
import { parseToken } from '../../src/view/token.ts';
import type { ViewRecord } from '../../src/view/view-record.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

afterEach(() => {
  vi.useRealTimers();
});

const status = async (token: string, path = '/v1/listing') => (await call('GET', path, { token })).status;
const later = (seconds: number) => vi.useFakeTimers({ now: Date.now() + seconds * 1000, toFake: ['Date'] });

describe('what an isolate remembers', () => {
  it('forgets a revoked token within 30 seconds', async () => {
    const token = await tokenFor(newOrganisation());
    expect(await status(token)).toBe(200);
    const hash = parseToken(token)?.hash;
    if (hash) await env.KV.delete(tokenKey(hash));
    later(29);
    expect(await status(token)).toBe(200);
    later(2);
    expect(await status(token)).toBe(401);
  });

  it('lets a remembered token end when it expires', async () => {
    const token = await tokenFor(newOrganisation(), { expiresAt: Date.now() + 10_000 });
    expect(await status(token)).toBe(200);
    later(11);
    expect(await status(token)).toBe(401);
  });

  it('takes a new token at once, also after it was refused', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    const hash = parseToken(token)?.hash;
    const record = hash ? await env.KV.get(tokenKey(hash)) : null;
    if (hash) await env.KV.delete(tokenKey(hash));
    expect(await status(token)).toBe(401);
    if (hash && record) await env.KV.put(tokenKey(hash), record);
    expect(await status(token)).toBe(200);
  });

  it('does not take a record of another organisation, or one that is damaged', async () => {
    const token = await tokenFor(newOrganisation());
    const hash = parseToken(token)?.hash;
    const record = {
      version: 1,
      organisation: 'other',
      label: 'x',
      scopes: ['skills:read'],
      layers: null,
      expiresAt: null,
    };
    for (const value of [JSON.stringify(record), '{}', 'x', '']) {
      if (hash) await env.KV.put(tokenKey(hash), value);
      expect(await status(token)).toBe(401);
    }
  });

  it('notices a layer of another isolate within 30 seconds', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    expect(await status(token, '/v1/skills/x')).toBe(404);
    await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x') }));
    expect(await status(token, '/v1/skills/x')).toBe(200);
    await env.KV.delete(`o/${organisation}/view/org`);
    expect(await status(token, '/v1/skills/x')).toBe(200);
    later(31);
    expect(await status(token, '/v1/skills/x')).toBe(404);
  });

  it('reads what an owner has just answered, and nothing older after it', async () => {
    const organisation = newOrganisation();
    const { note, read } = records(env);
    const record = (sequence: number): ViewRecord => ({
      version: 1,
      layer: 'org',
      head: { sequence, catalog: digestOf('c'), index: digestOf('i'), entries: 0, shards: [] },
      settings: null,
    });
    for (const [answered, wanted] of [
      [2, 2],
      [1, 2],
      [3, 3],
    ] as const) {
      note(record(answered), organisation);
      expect((await read(null, ['org'], organisation)).views).toEqual([record(wanted)]);
    }
  });
});
