import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Layer } from '../../src/catalog/layers.ts';
import type { Trust } from '../../src/catalog/provenance.ts';
import { SCAN_LIMITS } from '../../src/core/limits.ts';
import type { Verdict } from '../../src/scan/finding.ts';
import type { TokenRecord } from '../../src/view/token.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { filesOf, put } from '../support/publishing.ts';
import { BODIES } from '../support/scanned.ts';
import { CELLS } from '../support/install-cells.ts';

let organisation = '';
let reader = '';
beforeEach(async () => {
  organisation = newOrganisation();
  reader = await tokenFor(organisation);
});

const ORIGINS: Readonly<Record<Trust, { token: Partial<TokenRecord>; layer: Layer }>> = {
  builtin: { token: { trust: 'builtin' }, layer: 'bundled' },
  trusted: { token: { trust: 'trusted' }, layer: 'org' },
  community: { token: { trust: 'community' }, layer: 'org' },
  'agent-created': { token: { actor: 'agent' }, layer: 'org' },
};

const isThere = async (layer: Layer, name: string) =>
  (await call('GET', `/v1/skills/${encodeURIComponent(`${layer}/${name}`)}`, { token: reader })).status ===
  200;
const waiting = async () => {
  const page: { skills: Record<string, unknown>[] } = await (
    await call('GET', '/v1/quarantine', { token: reader })
  ).json();
  return page.skills;
};

describe.each(CELLS)('%s and %s: %s', (origin, verdict, decision) => {
  const { token: more, layer } = ORIGINS[origin];
  const name = `${origin}-${verdict}`;
  const expected = { origin, verdict, decision, name, complete: true };

  it('of one skill', async () => {
    const token = await tokenFor(organisation, more);
    const response = await put(token, name, filesOf(name, verdict), { layer });
    expect(response.status).toBe(decision === 'allow' ? 200 : 422);
    expect(await isThere(layer, name)).toBe(decision === 'allow');
    const { provenance, ...held } = (await waiting())[0] ?? {};
    if (decision === 'allow') expect(held).toEqual({});
    else {
      const { origin: from, ...rest } = expected;
      expect({ ...held, provenance }).toMatchObject({ ...rest, provenance: { origin: from } });
    }
  });

  it('of a whole layer', async () => {
    const token = await tokenFor(organisation, more);
    const tree = treeOf({
      [`${name}/SKILL.md`]: skillText(name, '', BODIES[verdict]),
      'harmless/SKILL.md': skillText('harmless'),
    });
    const { response } = await push(token, layer, tree, { trust: origin });
    const answer: { code?: string; data?: Record<string, unknown> } = await response.json();
    expect(response.status).toBe(decision === 'allow' ? 200 : 422);
    // All or nothing: a skill that is held keeps the others back.
    expect(await isThere(layer, 'harmless')).toBe(decision === 'allow');
    if (decision === 'allow') return expect(await isThere(layer, name)).toBe(true);
    const [held] = await waiting();
    expect(answer.code).toBe('publish_rejected');
    expect(answer.data).toEqual(
      origin === 'agent-created'
        ? { reference: held?.['id'] }
        : {
            heldCount: 1,
            held: [{ ...expected, id: held?.['id'], revision: held?.['revision'], status: 'held' }],
          },
    );
  });
});

describe('a push that leaves out what is held', () => {
  const send = async (token: string, files: Record<string, string>) => {
    const tree = treeOf(files);
    const { catalog, index } = await push(token, 'org', tree);
    const view: { head: { catalog: string } | null } = await (
      await call('POST', '/v1/push/missing', { token, body: { layer: 'org', digests: [] } })
    ).json();
    const expected = view.head?.catalog ?? null;
    const body = { layer: 'org', catalog, index, expected, held: 'leave-out' };
    return (await call('POST', '/v1/push/head', { token, body })).json<Record<string, unknown>>();
  };
  const dangerous = { 'bad/SKILL.md': skillText('bad', '', BODIES.dangerous) };

  it('publishes everything else, and what stood there stays', async () => {
    const good = { 'bad/SKILL.md': skillText('bad', '', 'Good so far.\n') };
    expect((await push(reader, 'org', treeOf(good))).response.status).toBe(200);
    const answer = await send(reader, { ...dangerous, 'new/SKILL.md': skillText('new') });
    expect(answer).toMatchObject({ entries: 2, sequence: 2, heldCount: 1, held: [{ name: 'bad' }] });
    const log = await call('GET', '/v1/audit?cursor=1', { token: reader });
    const none = { count: 0, names: [] };
    expect(await log.json()).toMatchObject({
      records: [
        { act: 'skills_held', details: { skills: { names: ['bad'] } } },
        { act: 'head_moved', details: { added: { names: ['new'] }, changed: none, removed: none } },
      ],
    });
    expect(await isThere('org', 'new')).toBe(true);
    const body = await call('GET', '/v1/skills/bad/body', { token: reader });
    expect(await body.text()).toBe('Good so far.\n');
    // The same push again moves nothing.
    const again = await send(reader, { ...dangerous, 'new/SKILL.md': skillText('new') });
    expect(again).toMatchObject({ sequence: 2, catalog: answer['catalog'], heldCount: 1 });
  });

  it('leaves a new one out of catalog and listing', async () => {
    const answer = await send(reader, { ...dangerous, 'new/SKILL.md': skillText('new') });
    const other = await tokenFor(newOrganisation());
    const without = await push(other, 'org', treeOf({ 'new/SKILL.md': skillText('new') }));
    expect(answer).toMatchObject({ entries: 1, heldCount: 1, catalog: without.catalog });
    expect(await isThere('org', 'bad')).toBe(false);
    const listing = await call('GET', '/v1/listing?format=text', { token: reader });
    const lines = (await listing.text()).split('\n');
    expect(lines).toContain('- new: Does new.');
    expect(lines.join()).not.toContain('Does bad.');
  });

  it('is no way for an agent to learn what is held', async () => {
    const agent = await tokenFor(organisation, { actor: 'agent' });
    const tree = treeOf({ ...dangerous, 'new/SKILL.md': skillText('new') });
    const { catalog, index } = await push(agent, 'org', tree, { trust: 'agent-created' });
    const body = { layer: 'org', catalog, index, expected: null, held: 'leave-out' };
    const response = await call('POST', '/v1/push/head', { token: agent, body });
    const { data, detail } = await response.json<{ data: object; detail: string }>();
    expect([response.status, Object.keys(data), detail]).toEqual([422, ['reference'], 'rejected']);
    expect(await isThere('org', 'new')).toBe(false);
  });
});

describe('what a publisher says of its skills', () => {
  it.each<[Partial<TokenRecord>, Trust, number]>([
    [{ trust: 'community' }, 'trusted', 422],
    [{ trust: 'community' }, 'community', 200],
    [{ actor: 'agent' }, 'trusted', 422],
    [{ actor: 'agent' }, 'community', 422],
    [{ actor: 'agent' }, 'agent-created', 200],
    [{}, 'community', 200],
  ])('%j may say %s: %i', async (more, trust, status) => {
    const token = await tokenFor(organisation, more);
    const { response } = await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x') }), { trust });
    expect(response.status).toBe(status);
  });

  it('is what its token says where it publishes one', async () => {
    for (const [origin, { token: more, layer }] of Object.entries(ORIGINS)) {
      const token = await tokenFor(organisation, more);
      const name = `from-${origin}`;
      await put(token, name, filesOf(name, 'safe'), { layer });
      const path = `/v1/skills/${encodeURIComponent(`${layer}/${name}`)}`;
      expect(await (await call('GET', path, { token: reader })).json()).toMatchObject({ trust: origin });
    }
  });

  it('is marked where models read it, and gets no commands', async () => {
    const agent = await tokenFor(organisation, { actor: 'agent' });
    const text = skillText('made', '', 'Now: !`date`\n');
    expect((await put(agent, 'made', [{ path: 'SKILL.md', text }])).status).toBe(200);
    const listing = await call('GET', '/v1/listing?format=text', { token: reader });
    expect((await listing.text()).split('\n')).toContain('- made [agent-created org]: Does made.');
    const body = { skill: 'made', shell: 'client' };
    const invoked = await call('POST', '/v1/invoke', { token: reader, body });
    expect(await invoked.json()).toMatchObject({ status: 'inline' });
  });
});

describe('the settings of an organisation', () => {
  const set = async (install: unknown) =>
    (await call('PUT', '/v1/settings', { token: reader, body: { install } })).status;

  it('make it stricter at once, and never laxer', async () => {
    expect(await set({ decisions: { trusted: { dangerous: 'ask' } } })).toBe(400);
    expect((await put(reader, 'one', filesOf('one', 'caution'))).status).toBe(200);
    expect(await set({ decisions: { trusted: { caution: 'ask', safe: 'block' } } })).toBe(200);
    expect((await put(reader, 'two', filesOf('two', 'caution'))).status).toBe(422);
    expect((await put(reader, 'three', filesOf('three', 'safe'), { layer: 'user:alice' })).status).toBe(422);
    expect((await waiting()).map(({ decision }) => decision)).toEqual(['block', 'ask']);
  });

  it('can count its own publishers as anybody', async () => {
    expect(await set({ publishers: 'community' })).toBe(200);
    expect((await put(reader, 'one', filesOf('one', 'caution'))).status).toBe(422);
    expect((await put(reader, 'two', filesOf('two', 'safe'))).status).toBe(200);
    expect(await (await call('GET', '/v1/skills/two', { token: reader })).json()).toMatchObject({
      trust: 'community',
    });
  });
});

describe('force', () => {
  it('passes a warning, and nothing that is dangerous', async () => {
    const token = await tokenFor(organisation, { trust: 'community' });
    expect((await put(token, 'one', filesOf('one', 'caution'), { force: true })).status).toBe(200);
    expect((await put(token, 'two', filesOf('two', 'dangerous'), { force: true })).status).toBe(422);
    expect((await put(reader, 'three', filesOf('three', 'dangerous'), { force: true })).status).toBe(422);
  });

  it('does the same for a whole layer', async () => {
    const token = await tokenFor(organisation, { trust: 'community' });
    const forced = async (verdict: Verdict) => {
      const tree = treeOf({ 'one/SKILL.md': skillText('one', '', BODIES[verdict]) });
      const { catalog, index } = await push(token, 'org', tree, { trust: 'community' });
      const body = { layer: 'org', catalog, index, expected: null, force: true };
      return (await call('POST', '/v1/push/head', { token, body })).status;
    };
    expect([await forced('dangerous'), await forced('caution')]).toEqual([422, 200]);
  });

  it('is for those who may answer for people', async () => {
    for (const more of [
      { actor: 'agent' as const },
      { scopes: ['layers:push' as const], trust: 'community' as const },
    ]) {
      const token = await tokenFor(organisation, more);
      const response = await put(token, 'one', filesOf('one', 'caution'), { force: true });
      expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([403, 'forbidden']);
    }
  });
});

describe('a scan that did not finish', () => {
  it('is a question, a fault in the log and an event', async () => {
    const [faults, events] = [vi.spyOn(console, 'error'), vi.spyOn(console, 'log')];
    const token = await tokenFor(organisation);
    const long = { path: 'long.md', text: 'A line of it.\n'.repeat(SCAN_LIMITS.textBytes / 10) };
    const response = await put(token, 'long', [...filesOf('long', 'safe'), long]);
    expect(await response.json()).toMatchObject({
      code: 'publish_rejected',
      data: { held: [{ name: 'long', decision: 'ask', complete: false }] },
    });
    expect(await isThere('org', 'long')).toBe(false);
    expect(faults.mock.calls.join('\n')).toContain('"event":"scan_incomplete"');
    expect(events.mock.calls.join('\n')).toMatch(/"event":"skill_held".*"decision":"ask".*"complete":false/);
  });
});

describe('a name that can be taken for another', () => {
  it('makes for caution, where nobody vouches for the skill', async () => {
    await put(reader, 'release-check', filesOf('release-check', 'safe'));
    const community = await tokenFor(organisation, { trust: 'community' });
    for (const [name, layer] of [
      ['relaese-check', 'org'],
      ['release-check-5w7zvby', 'user:alice'],
      ['rеlease-check', 'project:web'],
    ] as const) {
      const response = await put(community, name, filesOf(name, 'safe'), { layer });
      expect(await response.json()).toMatchObject({ data: { held: [{ name, verdict: 'caution' }] } });
    }
    const [held] = await waiting();
    const details = await call('GET', `/v1/quarantine/${String(held?.['id'])}`, { token: reader });
    expect(await details.json()).toMatchObject({
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'near-name', severity: 'warn' })]),
    });
    expect((await put(reader, 'release-checks', filesOf('release-checks', 'safe'))).status).toBe(200);
    expect((await put(community, 'deploy', filesOf('deploy', 'safe'))).status).toBe(200);
    // It has its name already.
    expect((await put(community, 'deploy', filesOf('deploy', 'safe', 'More.\n'))).status).toBe(200);
  });

  it('is that of a trusted skill, too, if it would take its place', async () => {
    await put(reader, 'deploy', filesOf('deploy', 'safe'));
    const community = await tokenFor(organisation, { trust: 'community' });
    expect((await put(community, 'deploy', filesOf('deploy', 'safe', 'More.\n'))).status).toBe(422);
    const [held] = await waiting();
    const details = await call('GET', `/v1/quarantine/${String(held?.['id'])}`, { token: reader });
    expect(await details.json()).toMatchObject({
      verdict: 'caution',
      findings: expect.arrayContaining([expect.objectContaining({ rule: 'taken-name' })]),
    });
    expect((await put(reader, 'deploy', filesOf('deploy', 'safe', 'More.\n'))).status).toBe(200);
  });
});
