import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

afterEach(() => {
  vi.useRealTimers();
});

interface Page {
  skills: { layer: string; name: string; count: number; lastUsedAt: string }[];
  next: string | null;
}

async function organisation() {
  const name = newOrganisation();
  const token = await tokenFor(name);
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    call('POST', path, { token, body, headers });
  return {
    name,
    token,
    invoke: (skill: string, more: object = {}) => post('/v1/invoke', { skill, ...more }),
    run: (skill: string, key?: string) =>
      post('/v1/runs', { skill }, key === undefined ? {} : { 'Idempotency-Key': key }),
    usage: async (query = ''): Promise<Page> => (await call('GET', `/v1/usage${query}`, { token })).json(),
    used: async (query = '') => {
      const page: Page = await (await call('GET', `/v1/usage${query}`, { token })).json();
      return page.skills.map((row) => `${row.layer}/${row.name} ${row.count}`);
    },
    record: (uses: { layer: string; name: string; at: number }[]) =>
      env.ORG.getByName(`o/${name}`).recordUses(name, uses),
  };
}

describe('a use', () => {
  it('is an inline skill that was handed out, and a run that was started', async () => {
    const { token, invoke, run, used, usage } = await organisation();
    await push(
      token,
      'org',
      treeOf({
        'plain/SKILL.md': skillText('plain'),
        'fork/SKILL.md': skillText('fork', 'context: fork\n', '```bash\necho x\n```\n'),
        'apart/SKILL.md': skillText('apart', '', '```bash\necho x\n```\n'),
      }),
    );
    expect(await usage()).toEqual({ skills: [], next: null });
    const before = Date.now();
    expect((await invoke('plain')).status).toBe(200);
    expect((await invoke('/plain')).status).toBe(200);
    expect((await invoke('fork')).status).toBe(202);
    expect((await run('apart')).status).toBe(202);
    expect(await used()).toEqual(['org/apart 1', 'org/fork 1', 'org/plain 1']);
    for (const { lastUsedAt } of (await usage()).skills) {
      expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now());
    }
  });

  it('is no question, no refusal, no decision and no reading', async () => {
    const { token, invoke, run, usage, name } = await organisation();
    await push(
      token,
      'org',
      treeOf({
        'asks/SKILL.md': skillText('asks', 'allowed-tools: WebFetch\n'),
        'person/SKILL.md': skillText('person', 'disable-model-invocation: true\n'),
        'plain/SKILL.md': skillText('plain'),
      }),
    );
    expect(await (await invoke('asks')).json()).toMatchObject({ status: 'ask' });
    expect(await (await run('asks')).json()).toMatchObject({ status: 'ask' });
    expect((await invoke('person')).status).toBe(403);
    expect((await invoke('missing')).status).toBe(404);
    await call('POST', '/v1/decisions', { token, body: { skill: 'plain' } });
    await call('GET', '/v1/skills/plain/body', { token });
    const limited = await tokenFor(name, { scopes: ['skills:read', 'skills:invoke'] });
    expect((await call('POST', '/v1/runs', { token: limited, body: { skill: 'plain' } })).status).toBe(403);
    expect((await usage()).skills).toEqual([]);
  });

  it('is one run for one idempotency key, however much later it is asked for again', async () => {
    const { token, run, used } = await organisation();
    await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x', '', '```bash\necho x\n```\n') }));
    expect((await run('x', 'k')).status).toBe(202);
    expect(await used()).toEqual(['org/x 1']);
    vi.useFakeTimers({ now: Date.now() + 60 * 60 * 1000, toFake: ['Date'] });
    expect((await run('x', 'k')).status).toBeLessThan(300);
    expect(await used()).toEqual(['org/x 1']);
    expect((await run('x', 'another')).status).toBe(202);
    expect(await used()).toEqual(['org/x 2']);
  });
});

describe('GET /v1/usage', () => {
  it('has the layers of the request, and none that a token may not see', async () => {
    const { token, name, invoke, used } = await organisation();
    for (const layer of ['org', 'user:alice', 'user:bob'])
      await push(token, layer, treeOf({ [`${layer.slice(-3)}/SKILL.md`]: skillText(layer.slice(-3)) }));
    for (const [skill, scope] of [
      ['org', ''],
      ['ice', '?scope=user:alice'],
      ['bob', '?scope=user:bob'],
    ])
      await call('POST', `/v1/invoke${scope}`, { token, body: { skill } });
    await invoke('org');
    expect(await used()).toEqual(['org/org 1']);
    expect(await used('?scope=user:alice')).toEqual(['org/org 1', 'user:alice/ice 1']);
    const alice = await tokenFor(name, { layers: ['user:alice'] });
    const page: Page = await (await call('GET', '/v1/usage', { token: alice })).json();
    expect(page.skills.map((row) => row.name)).toEqual(['org', 'ice']);
    expect((await call('GET', '/v1/usage?scope=user:bob', { token: alice })).status).toBe(403);
  });

  it('is of one organisation, for skills that all share as well', async () => {
    const [first, second] = await Promise.all([organisation(), organisation()]);
    await push(first.token, 'bundled', treeOf({ 'shared/SKILL.md': skillText('shared') }));
    await first.invoke('shared');
    expect(await first.used()).toEqual(['bundled/shared 1']);
    expect(await second.used()).toEqual([]);
    const listing = async (token: string) =>
      (await call('GET', '/v1/listing', { token })).json<{ usage: { snapshot: string } | null }>();
    // Reads the record anew: neither has a layer of its own.
    for (const { token } of [first, second]) await call('PUT', '/v1/settings', { token, body: {} });
    expect((await listing(first.token)).usage).toEqual({ snapshot: expect.any(String) });
    expect((await listing(second.token)).usage).toBeNull();
  });

  it('comes most used first, page by page, without what is switched off', async () => {
    const { token, usage, record } = await organisation();
    await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x') }));
    const now = Date.now();
    const names = Array.from({ length: 230 }, (_, at) => `skill/${String(at).padStart(3, '0')}`);
    for (const [minutes, few] of [
      [20, names],
      [10, names.slice(0, 30)],
    ] as const)
      await record(few.map((name) => ({ layer: 'org', name, at: now - minutes * 60_000 })));
    await call('PUT', '/v1/settings', { token, body: { states: { 'skill/005': 'off' } } });
    const rows = [];
    let cursor: string | null = '';
    let pages = 0;
    while (cursor !== null) {
      const page: Page = await usage(`?cursor=${encodeURIComponent(cursor)}`);
      rows.push(...page.skills);
      cursor = page.next;
      pages += 1;
    }
    expect(pages).toBe(3);
    expect(rows.map(({ name }) => name)).toEqual(names.filter((name) => name !== 'skill/005'));
    expect(rows.map(({ count }) => count)).toEqual(rows.map((_, at) => (at < 29 ? 2 : 1)));
  });

  it.each(['x', '1/org', '1/nope/x', '-1/org/x', '1//x', `1/${'o'.repeat(200)}/x`])(
    'does not take the cursor %j',
    async (cursor) => {
      const { token } = await organisation();
      const response = await call('GET', `/v1/usage?cursor=${encodeURIComponent(cursor)}`, { token });
      expect(await response.json()).toMatchObject({ code: 'bad_request', at: 'cursor' });
    },
  );
});

describe('a listing', () => {
  it('names the snapshot that ranked it, and is the same until there is another', async () => {
    const { token, name, invoke } = await organisation();
    const skills = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `s${10 + at}/SKILL.md`,
        skillText(`s${10 + at}`).replace('Does', `${'Word '.repeat(30)}Does`),
      ]),
    );
    await push(token, 'org', treeOf(skills));
    const read = async () => {
      // Past what the isolate remembers, to what the organisation's object says.
      const { catalog } = (await env.ORG.getByName(`o/${name}`).view('org')).head ?? {};
      const answer = await call('GET', '/v1/listing?context_window=30000', {
        token,
        headers: { 'Skilledge-Catalog': `org=${catalog}` },
      });
      const body: { listing: string; usage: { snapshot: string } | null } = await answer.json();
      return { ...body, tag: answer.headers.get('ETag') };
    };
    const before = await read();
    expect([before.usage, before.listing.match(/^- s69.*$/m)?.[0]]).toEqual([null, '- s69']);
    await invoke('s69');
    await call('PUT', '/v1/settings', { token, body: {} });
    const after = await read();
    expect(after.usage?.snapshot).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(after.listing).toMatch(/^- s69: Word Word/m);
    expect(after.tag).not.toBe(before.tag);
    await invoke('s50');
    expect(await read()).toEqual(after);
  });
});
