import { env } from 'cloudflare:workers';
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, it } from 'vitest';
import { ORG_LIMITS } from '../../src/core/limits.ts';
import type { TokenRecord } from '../../src/view/token.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';
import { filesOf, heldId, put, skillPath } from '../support/publishing.ts';
import { BODIES } from '../support/scanned.ts';

let organisation = '';
let person = '';
let agent = '';
beforeEach(async () => {
  organisation = newOrganisation();
  person = await tokenFor(organisation, { actor: 'person', label: 'ann' });
  agent = await tokenFor(organisation, { actor: 'agent', label: 'writer' });
});

interface Held {
  readonly id: string;
  readonly name: string;
  readonly revision: string;
  readonly status: string;
  readonly catalog: string | null;
}
const page = async (query = '', token = person) =>
  (await call('GET', `/v1/quarantine${query}`, { token })).json<{ skills: Held[]; cursor: string | null }>();
const names = async (query = '', token = person) => (await page(query, token)).skills.map(({ name }) => name);
const judge = (id: string, action: 'accept' | 'reject', token = person) =>
  call('POST', `/v1/quarantine/${id}`, { token, body: { action } });
const status = async (path: string, token = person) => (await call('GET', path, { token })).status;
const hold = async (name = 'bad', more = '') =>
  heldId(await put(agent, name, filesOf(name, 'dangerous', more)));

describe('what is held', () => {
  it('is shown to people with all that an answer needs', async () => {
    const text = `---\nname: bad\ndescription: Does bad.\nversion: 1.2\nallowed-tools: Bash\nrequires: {bins: [gh]}\n---\n${BODIES.dangerous}`;
    const script = '#!/bin/sh\nls\n';
    const files = [
      { path: 'SKILL.md', text },
      { path: 'run', text: script, executable: true },
      { path: 'tool.py', text: 'print(1)\n' },
      { path: 'notes.md', text: 'Notes.\n' },
    ];
    const id = await heldId(await put(agent, 'bad', files));
    const details = await (await call('GET', `/v1/quarantine/${id}`, { token: person })).json();
    expect(details).toMatchObject({
      id,
      layer: 'org',
      name: 'bad',
      version: '1.2',
      status: 'held',
      decision: 'ask',
      verdict: 'dangerous',
      provenance: { origin: 'agent-created', by: 'writer', actor: 'agent', origins: ['bad'] },
      permissions: { tools: ['Bash'], hooks: [], shell: ['Bash'], requirements: ['bins: gh'] },
      scripts: ['run', 'tool.py'],
      note: 'A scan is evidence, not a verdict of trust.',
      standing: null,
    });
    const file = await call('GET', `/v1/quarantine/${id}/files/run`, { token: person });
    expect([await file.text(), file.headers.get('Content-Security-Policy')]).toEqual([
      script,
      "default-src 'none'; sandbox",
    ]);
    expect(await status(`/v1/quarantine/${id}/files/..%2FSKILL.md`)).toBe(404);
  });

  it('is in no catalog, listing or search, and has no revision that could be read', async () => {
    await hold();
    const [held] = (await page()).skills;
    await settle(organisation);
    const paths = ['/v1/skills/bad', `/v1/skills/bad?revision=${held?.revision}`, '/v1/skills/bad/body'];
    for (const path of paths) expect([path, await status(path)]).toEqual([path, 404]);
    const search = await call('GET', '/v1/skills/search?q=bad', { token: person });
    expect(await search.json()).toMatchObject({ results: [] });
  });

  it('is nothing to agents, whatever their scopes, and nothing to readers', async () => {
    const id = await hold();
    const reader = await tokenFor(organisation, { scopes: ['skills:read', 'skills:invoke', 'layers:push'] });
    for (const token of [agent, reader]) {
      for (const path of ['', `/${id}`, `/${id}/files/SKILL.md`, '/qua_x'])
        expect([path, await status(`/v1/quarantine${path}`, token)]).toEqual([path, 403]);
      expect((await judge(id, 'accept', token)).status).toBe(403);
    }
    expect(await names()).toEqual(['bad']);
  });

  it('tells its author nothing, if that is an agent, but that there is something', async () => {
    const files = filesOf('bad', 'dangerous');
    const answers = [
      await (await put(agent, 'bad', files)).json<Record<string, unknown>>(),
      await (await put(agent, 'bad', files, { query: '?dry_run=1' })).json<Record<string, unknown>>(),
    ];
    const [{ id = '' } = {}] = (await page()).skills;
    const { requestId: _, ...problem } = answers[0] ?? {};
    expect(problem).toEqual({
      type: 'urn:skilledge:problem:publish_rejected',
      title: 'Rejected',
      status: 422,
      code: 'publish_rejected',
      detail: 'rejected',
      hint: 'A person of the organisation can look it up by its reference.',
      data: { reference: id },
    });
    expect(answers[1]).toEqual({ status: 'rejected', dryRun: true, reference: id });
    await judge(id, 'reject');
    const { requestId: __, ...again } = await (
      await put(agent, 'bad', files)
    ).json<Record<string, unknown>>();
    expect(again).toEqual(problem);
  });

  it('has findings for people, in the skill itself as well', async () => {
    await judge(await hold(), 'accept');
    const scan = async (token: string) => {
      const skill = await call('GET', '/v1/skills/bad', { token });
      return (await skill.json<{ scan: Record<string, unknown> }>()).scan;
    };
    const finding = expect.objectContaining({ severity: 'critical', path: 'SKILL.md' });
    expect(await scan(person)).toMatchObject({
      verdict: 'dangerous',
      complete: true,
      note: 'A scan is evidence, not a verdict of trust.',
      findings: expect.arrayContaining([finding]),
    });
    expect(Object.keys(await scan(agent)).toSorted()).toEqual(['complete', 'note', 'rules', 'verdict']);
  });

  it('is of one organisation, and for a bound token of its layers', async () => {
    const id = await hold();
    await put(agent, 'mine', filesOf('mine', 'dangerous'), { layer: 'user:alice' });
    const other = await tokenFor(newOrganisation(), { actor: 'person' });
    expect([await names('', other), await status(`/v1/quarantine/${id}`, other)]).toEqual([[], 404]);
    expect((await judge(id, 'accept', other)).status).toBe(404);
    const bound = await tokenFor(organisation, { actor: 'person', layers: ['user:alice'] });
    expect([await names('', bound), await status(`/v1/quarantine/${id}`, bound)]).toEqual([['mine'], 404]);
    expect((await judge(id, 'accept', bound)).status).toBe(404);
  });

  it('comes page by page, newest first, by status', async () => {
    const { quarantinePage } = ORG_LIMITS;
    Object.assign(ORG_LIMITS, { quarantinePage: 2 });
    try {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await hold(name);
      const first = await page();
      const second = await page(`?cursor=${first.cursor}`);
      const third = await page(`?cursor=${second.cursor}`);
      const all = [first, second, third].map(({ skills }) => skills.map(({ name }) => name));
      expect([...all, third.cursor]).toEqual([['e', 'd'], ['c', 'b'], ['a'], null]);
      await judge(first.skills[0]?.id ?? '', 'reject');
      expect([await names('?status=rejected'), await names('?status=accepted')]).toEqual([['e'], []]);
      for (const query of ['?status=x', '?cursor=x', '?cursor=-1', '?cursor=1.5'])
        expect([query, await status(`/v1/quarantine${query}`)]).toEqual([query, 400]);
    } finally {
      Object.assign(ORG_LIMITS, { quarantinePage });
    }
  });
});

describe('an acceptance', () => {
  it('publishes exactly what was held, as what it was', async () => {
    const id = await hold();
    const accepted = await (await judge(id, 'accept')).json<Held>();
    expect(accepted).toMatchObject({ status: 'accepted', decidedBy: 'ann' });
    const skill = await (await call('GET', '/v1/skills/bad', { token: person })).json();
    expect(skill).toMatchObject({ revision: accepted.revision, trust: 'agent-created', layer: 'org' });
    const view = await (
      await call('POST', '/v1/push/missing', { token: person, body: { layer: 'org', digests: [] } })
    ).json();
    expect(view).toMatchObject({ head: { catalog: accepted.catalog } });
    expect(await names()).toEqual([]);
  });

  it('holds for later pushes of the revision, and for no other', async () => {
    const id = await hold();
    await judge(id, 'accept');
    expect((await call('DELETE', skillPath('org', 'bad'), { token: person })).status).toBe(200);
    const tried = await put(agent, 'bad', filesOf('bad', 'dangerous'), { query: '?dry_run=1' });
    expect(await tried.json()).toMatchObject({ status: 'published' });
    expect((await put(agent, 'bad', filesOf('bad', 'dangerous'))).status).toBe(200);
    const tree = treeOf({ 'bad/SKILL.md': skillText('bad', '', BODIES.dangerous) });
    expect((await push(person, 'org', tree)).response.status).toBe(200);
    // A byte more is another question, and so is the same skill in another layer.
    expect((await put(agent, 'bad', filesOf('bad', 'dangerous', ' '))).status).toBe(422);
    const layer = 'user:alice';
    expect((await put(agent, 'bad', filesOf('bad', 'dangerous'), { layer })).status).toBe(422);
  });

  it('takes the place of what is there, and shows it before', async () => {
    await put(person, 'bad', filesOf('bad', 'safe'));
    const before = await (await call('GET', '/v1/skills/bad', { token: person })).json<Held>();
    const id = await hold();
    const details = await (await call('GET', `/v1/quarantine/${id}`, { token: person })).json();
    expect(details).toMatchObject({ standing: { revision: before.revision, trust: 'trusted' } });
    const { revision } = await (await judge(id, 'accept')).json<Held>();
    expect(revision).not.toBe(before.revision);
    expect(await (await call('GET', '/v1/skills/bad', { token: person })).json()).toMatchObject({ revision });
  });

  it('made twice does not bring back what was changed since', async () => {
    const id = await hold();
    await judge(id, 'accept');
    await put(person, 'bad', filesOf('bad', 'safe'));
    const later = await (await call('GET', '/v1/skills/bad', { token: person })).json<Held>();
    expect((await judge(id, 'accept')).status).toBe(200);
    expect(await (await call('GET', '/v1/skills/bad', { token: person })).json()).toMatchObject({
      revision: later.revision,
    });
  });

  it('keeps the flag that the skill was pushed with', async () => {
    const tree = treeOf({ 'bad/SKILL.md': skillText('bad', '', BODIES.dangerous) });
    const choose = () => ({ listing: 'auto' as const, flag: 'alpha' });
    const { response } = await push(person, 'org', tree, { choose });
    await judge(await heldId(response), 'accept');
    expect(await status('/v1/skills/bad')).toBe(404);
    await call('PUT', '/v1/settings', { token: person, body: { flags: ['alpha'] } });
    expect(await status('/v1/skills/bad')).toBe(200);
  });

  it('of the shared layer is for those who may push to it', async () => {
    const files = filesOf('bundled-bad', 'dangerous');
    const id = await heldId(await put(agent, 'bundled-bad', files, { layer: 'bundled' }));
    const narrow = await tokenFor(organisation, { actor: 'person', scopes: ['decisions:approve'] });
    expect((await judge(id, 'accept', narrow)).status).toBe(403);
    expect(await names()).toEqual(['bundled-bad']);
    expect((await judge(id, 'accept')).status).toBe(200);
    expect(await status('/v1/skills/bundled-bad')).toBe(200);
  });

  it('outlives an eviction', async () => {
    const id = await hold();
    await settle(organisation);
    await evictDurableObject(env.ORG.getByName(`o/${organisation}`));
    expect(await names()).toEqual(['bad']);
    expect((await judge(id, 'accept')).status).toBe(200);
    await settle(organisation);
    await evictDurableObject(env.ORG.getByName(`o/${organisation}`));
    expect(await names('?status=accepted')).toEqual(['bad']);
  });
});

describe('a rejection', () => {
  it('refuses the revision from then on, until somebody thinks otherwise', async () => {
    const id = await hold();
    expect(await (await judge(id, 'reject')).json()).toMatchObject({ status: 'rejected', catalog: null });
    const service = await tokenFor(organisation);
    const again = await put(service, 'bad', filesOf('bad', 'dangerous'));
    expect(await again.json()).toMatchObject({ data: { held: [{ id, status: 'rejected' }] } });
    expect(await names()).toEqual([]);
    expect((await judge(id, 'accept')).status).toBe(200);
    expect(await status('/v1/skills/bad')).toBe(200);
  });

  it('of nothing is a clear problem', async () => {
    const response = await judge('qua_nope', 'reject');
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([
      404,
      'quarantine_unknown',
    ]);
    expect((await env.KV.list({ prefix: `o/${organisation}/` })).keys).toEqual([]);
  });
});

describe('the quarantine', () => {
  const stub = () => env.ORG.getByName(`o/${organisation}`);
  const publisher = (label: string, more: Partial<TokenRecord> = {}) =>
    tokenFor(organisation, { label, actor: 'agent', ...more });

  it('is bounded, and whoever fills it displaces nobody else', async () => {
    const { held } = ORG_LIMITS;
    Object.assign(ORG_LIMITS, { held: 4 });
    try {
      await hold('quiet');
      const loud = await publisher('loud');
      for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await put(loud, name, filesOf(name, 'dangerous'));
      expect(await names()).toEqual(['f', 'e', 'd', 'quiet']);
    } finally {
      Object.assign(ORG_LIMITS, { held });
    }
  });

  it('holds anew what an older deployment kept in another way, and keeps its answers', async () => {
    const [id, answered] = [await hold('old'), await hold('answered')];
    await judge(answered, 'accept');
    await runInDurableObject(stub(), (_object, { storage }) => {
      storage.sql.exec(`UPDATE quarantine SET skill = '{"of": "old"}'`);
    });
    expect(await names()).toEqual([]);
    expect([await hold('old'), await names()]).toEqual([id, ['old']]);
    const again = await put(agent, 'answered', filesOf('answered', 'dangerous'));
    expect(again.status).toBe(200);
  });

  it('forgets what waited for too long, and keeps answers', async () => {
    const id = await hold('old');
    await judge(await hold('answered'), 'reject');
    await runInDurableObject(stub(), (_object, { storage }) => {
      storage.sql.exec('UPDATE quarantine SET expires_at = expires_at - ?', ORG_LIMITS.heldMilliseconds);
    });
    expect([await names(), await names('?status=rejected')]).toEqual([[], ['answered']]);
    expect((await judge(id, 'accept')).status).toBe(404);
  });
});
