import { beforeAll, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let token = '';
let empty = '';

beforeAll(async () => {
  const organisation = newOrganisation();
  token = await tokenFor(organisation);
  empty = await tokenFor(newOrganisation());
  const org = treeOf({
    'pdf/SKILL.md': skillText('pdf', 'when_to_use: for <pdf> & co\n'),
    'hidden/SKILL.md': skillText('hidden', 'disable-model-invocation: true\n'),
    'lint/SKILL.md': skillText('lint', 'paths: src/**/*.{ts,js}\n'),
    'agent/SKILL.md': skillText('agent', 'user-invocable: false\n'),
  });
  expect((await push(token, 'org', org)).response.status).toBe(200);
});

const get = async (query: string, headers: Record<string, string> = {}) =>
  call('GET', `/v1/listing${query}`, { token, headers });
const text = async (query: string) => (await get(query)).text();
interface Answer {
  listing: string;
  counts: Record<string, number>;
  coverage: { rows: { name: string; state: string }[]; next: string | null };
  tool: { name: string; input_schema: { properties: { skill: { enum?: string[] } } } } | null;
  searchTool: { name: string } | null;
}
const json = async (query: string, from = token): Promise<Answer> =>
  (await call('GET', `/v1/listing${query}`, { token: from })).json();

const LINES = '- agent: Does agent.\n- pdf: Does pdf. - for ‹pdf› & co';

describe('formats', () => {
  it('are lines, XML or a reminder', async () => {
    expect(await text('?format=text')).toBe(LINES);
    expect(await text('?format=xml')).toBe(
      [
        '<available_skills>',
        '<skill><name>agent</name><description>Does agent.</description></skill>',
        '<skill><name>pdf</name><description>Does pdf. - for ‹pdf› &amp; co</description></skill>',
        '</available_skills>',
      ].join('\n'),
    );
    expect(await text('?format=reminder')).toMatch(
      /^<system-reminder>\n[^<]+\n- pdf: .*\n<\/system-reminder>$/s,
    );
  });

  it.each([
    ['*/*', 'application/json'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['application/xml', 'application/xml; charset=utf-8'],
    ['text/html, application/json;q=0.5, text/xml', 'application/xml; charset=utf-8'],
    ['text/plain;q=0, application/json', 'application/json'],
    ['image/png', 'application/json'],
    ['constructor', 'application/json'],
  ])('Accept: %s is answered with %s', async (accept, type) => {
    const response = await get('', { Accept: accept });
    expect([response.headers.get('Content-Type'), response.headers.get('Vary')]).toEqual([
      type,
      'Authorization, Accept',
    ]);
    expect((await get('?format=text', { Accept: accept })).headers.get('Content-Type')).toContain(
      'text/plain',
    );
  });

  it('have each an ETag of their own, and 304 with the same Vary', async () => {
    const tags = await Promise.all(
      ['json', 'text', 'xml', 'reminder'].map(async (format) =>
        (await get(`?format=${format}`)).headers.get('ETag'),
      ),
    );
    expect(new Set(tags).size).toBe(4);
    const again = await get('?format=xml', { 'If-None-Match': tags[2] ?? '' });
    expect([again.status, again.headers.get('Vary')]).toEqual([304, 'Authorization, Accept']);
  });

  it.each(['xml', 'reminder', 'text'])('%s of nothing is nothing', async (format) => {
    expect(await (await call('GET', `/v1/listing?format=${format}`, { token: empty })).text()).toBe('');
  });

  it.each([100, 1_000, 2_500, 4_000, 8_000])(
    'keep to the budget of %i tokens with their wrapper',
    async (window) => {
      for (const format of ['text', 'xml', 'reminder']) {
        const answer = await text(`?format=${format}&context_window=${window}`);
        expect(answer.length).toBeLessThanOrEqual(window * 0.04);
      }
    },
  );
});

describe('a budget', () => {
  it('can be set outright', async () => {
    expect(await json('?budget=20')).toMatchObject({
      listing: '- agent\n- pdf',
      budget: 20,
      unit: 'characters',
    });
    expect(await json('?budget=0')).toMatchObject({ listing: '', used: 0, budget: 0 });
  });

  it('can be in tokens of four bytes', async () => {
    expect(await json('?unit=tokens&context_window=200000')).toMatchObject({
      unit: 'tokens',
      budget: 2_000,
      // `‹` and `›` have three bytes each.
      used: Math.ceil(new TextEncoder().encode(LINES).length / 4),
      estimatedTokens: Math.ceil(new TextEncoder().encode(LINES).length / 4),
    });
    expect(await json('?unit=tokens')).toMatchObject({ budget: 2_000 });
    const { listing } = await json('?unit=tokens&budget=4');
    expect(listing).toBe('- agent\n- pdf');
  });
});

describe('what a request says of its moment', () => {
  it('lists conditional skills once a path is touched', async () => {
    const listed = async (query: string) => (await json(query)).listing.includes('- lint: ');
    expect(
      await Promise.all(['', '?paths=src/a.css', '?paths=../src/a.ts', '?paths=/src/a.ts'].map(listed)),
    ).toEqual([false, false, false, false]);
    expect(
      await Promise.all(
        ['?paths=src/a.ts', '?paths=x,src/b/a.js', '?paths=x&paths=src/a.ts', '?paths=./src/a.ts'].map(
          listed,
        ),
      ),
    ).toEqual([true, true, true, true]);
    expect(
      await Promise.all(
        ['windows', 'linux'].map((platform) => listed(`?paths=src%5Ca.ts&platform=${platform}`)),
      ),
    ).toEqual([true, false]);
    expect((await call('GET', '/v1/skills/lint/body', { token })).status).toBe(200);
  });

  it('lists what runs where the host says it is, and nothing to one that loads no bodies', async () => {
    const mine = await tokenFor(newOrganisation());
    const more = 'platforms: [macOS]\n';
    await push(mine, 'org', treeOf({ 'a/SKILL.md': skillText('a', more), 'b/SKILL.md': skillText('b') }));
    const listed = async (query: string) =>
      (await call('GET', `/v1/listing?format=text${query}`, { token: mine })).text();
    expect(await listed('')).toBe('- b: Does b.');
    expect(await listed('&platform=MacOS')).toBe('- a: Does a.\n- b: Does b.');
    expect(await listed('&bodies=0')).toBe('');
  });

  it.each([
    ['macOS', 'darwin'],
    ['darwin', 'macos'],
    ['win32', 'Windows'],
    ['windows', 'win32'],
  ])('knows the platform of a skill for %s when the host says %s', async (written, host) => {
    const mine = await tokenFor(newOrganisation());
    await push(mine, 'org', treeOf({ 'a/SKILL.md': skillText('a', `platforms: [${written}]\n`) }));
    const listed = async (platform: string) =>
      (await call('GET', `/v1/listing?format=text&platform=${platform}`, { token: mine })).text();
    expect([await listed(host), await listed('linux')]).toEqual(['- a: Does a.', '']);
    const begun = await call('POST', '/v1/sessions', { token: mine, body: { platform: host } });
    const { id } = await begun.json<{ id: string }>();
    const told = await call('POST', `/v1/sessions/${id}/listing`, { token: mine });
    expect(await told.json()).toMatchObject({ text: '- a: Does a.' });
  });

  it('lists for people what they may start', async () => {
    expect(await text('?format=text&audience=user')).toBe(
      '- hidden: Does hidden.\n- lint: Does lint.\n- pdf: Does pdf. - for ‹pdf› & co',
    );
  });

  it('keeps the text of what a query is about', async () => {
    expect(await text('?format=text&context_window=600')).toBe('- agent\n- pdf');
    expect(await text('?format=text&context_window=600&query=pdf')).toBe('- agent\n- pdf: Does pdf.');
  });

  it.each([
    ['format=html', 'format'],
    ['format=xml&profile=seed', 'format'],
    ['format=text&coverage=full', 'format'],
    ['format=xml&tool=1', 'format'],
    ['profile=gemini', 'profile'],
    ['audience=all', 'audience'],
    ['tool=yes', 'tool'],
    ['coverage=some', 'coverage'],
    ['platform=', 'platform'],
    ['budget=-1', 'budget'],
    ['budget=', 'budget'],
    ['budget=1.5', 'budget'],
    ['budget=100&profile=seed', 'budget'],
    ['unit=tokens&profile=codex', 'unit'],
    ['unit=words', 'unit'],
    [`product=${'x'.repeat(65)}`, 'product'],
    ['bodies=no', 'bodies'],
    ['has=programs:gh', 'has'],
    ['has=gh', 'has'],
    [`has=bins:${'x'.repeat(129)}`, 'has'],
    ['coverage=full&coverage_cursor=%00', 'coverage_cursor'],
    [`paths=${'a,'.repeat(65)}`, 'paths'],
    [`paths=${'a'.repeat(5_000)}`, 'paths'],
    [`query=${'a'.repeat(1_001)}`, 'query'],
  ])('refuses %s', async (query, at) => {
    const response = await get(`?${query}`);
    expect([response.status, (await response.json<{ at: string }>()).at]).toEqual([400, at]);
  });
});

describe('coverage=full', () => {
  it('has a row for every skill, and adds up', async () => {
    const { coverage, counts } = await json('?coverage=full');
    expect(coverage).toEqual({
      rows: [
        { name: 'agent', layer: 'org', state: 'full', rank: 0, reason: 'fits' },
        { name: 'hidden', layer: 'org', state: 'unlisted', rank: null, reason: 'model-invocation-disabled' },
        { name: 'lint', layer: 'org', state: 'unlisted', rank: null, reason: 'waits-for-path' },
        { name: 'pdf', layer: 'org', state: 'full', rank: 1, reason: 'fits' },
      ],
      next: null,
    });
    expect(counts['total']).toBe(4);
  });

  it('goes on behind its cursor, and is not there unless it is asked for', async () => {
    expect(
      (await json('?coverage=full&coverage_cursor=hidden')).coverage.rows.map(({ name }) => name),
    ).toEqual(['lint', 'pdf']);
    expect(Object.keys(await json(''))).not.toContain('coverage');
  });
});

describe('tool=1', () => {
  it('defines the tool that starts skills, and the one that finds them', async () => {
    const { tool, searchTool } = await json('?tool=1');
    expect([tool?.name, searchTool?.name]).toEqual(['Skill', 'search_skills']);
    expect(tool?.input_schema.properties.skill.enum).toBeUndefined();
    const touched = await json('?tool=1&paths=src/a.ts');
    expect(touched.tool?.input_schema.properties.skill.enum).toEqual(['agent', 'lint', 'pdf']);
  });

  it('defines nothing where there is nothing to start', async () => {
    expect(await json('?tool=1', empty)).toMatchObject({ tool: null, searchTool: null });
    expect(await json('?tool=1&bodies=0')).toMatchObject({ listing: '', tool: null, searchTool: null });
  });
});

describe('profiles', () => {
  it('say that they are for comparison', async () => {
    expect(await json('?profile=codex&context_window=272000')).toMatchObject({
      profile: 'codex',
      comparisonOnly: true,
      unit: 'tokens',
      budget: 5_440,
    });
    expect(await json('')).toMatchObject({ profile: 'skilledge', unit: 'characters' });
  });
});

describe('states in the settings', () => {
  it('change the listing at once, and off is not found', async () => {
    const mine = await tokenFor(newOrganisation());
    await push(mine, 'org', treeOf({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') }));
    const put = async (states: unknown) =>
      (await call('PUT', '/v1/settings', { token: mine, body: { states } })).status;
    const listed = async () => (await call('GET', '/v1/listing?format=text', { token: mine })).text();
    expect(await put({ a: 'name-only', 'org/b': 'manual' })).toBe(200);
    expect(await listed()).toBe('- a');
    expect((await json('?tool=1', mine)).tool?.input_schema.properties.skill.enum).toBeUndefined();
    expect(await put({ a: 'off' })).toBe(200);
    expect([await listed(), (await call('GET', '/v1/skills/a', { token: mine })).status]).toEqual([
      '- b: Does b.',
      404,
    ]);
    expect(await put({ a: 'sometimes' })).toBe(400);
    expect(await put({ ['x'.repeat(801)]: 'off' })).toBe(400);
  });

  it('hide more from an agent, and never show it what is hidden from all', async () => {
    const mine = await tokenFor(newOrganisation());
    await push(mine, 'org', treeOf({ 'a/SKILL.md': skillText('a'), 'b/SKILL.md': skillText('b') }));
    const body = { states: { b: 'off' }, agents: { ci: { states: { a: 'off', b: 'pinned' } } } };
    expect((await call('PUT', '/v1/settings', { token: mine, body })).status).toBe(200);
    const status = async (method: string, path: string, sent?: unknown) =>
      (await call(method, path, { token: mine, body: sent })).status;
    expect(await status('GET', '/v1/skills/a/body')).toBe(200);
    expect(await status('GET', '/v1/skills/a/body?agent=ci')).toBe(404);
    for (const [path, agent, expected] of [
      ['/v1/invoke', 'main', 200],
      ['/v1/invoke', 'ci', 404],
      ['/v1/decisions', 'ci', 404],
      ['/v1/runs', 'ci', 404],
    ] as const)
      expect([path, agent, await status('POST', path, { skill: 'a', agent })]).toEqual([
        path,
        agent,
        expected,
      ]);
    expect(await status('GET', '/v1/skills/b/body?agent=ci')).toBe(404);
    expect(await (await call('GET', '/v1/listing?format=text&agent=ci', { token: mine })).text()).toBe('');
  });
});

describe('states of one request', () => {
  it('hide and pin for it alone', async () => {
    expect(await text('?format=text&off=pdf')).toBe('- agent: Does agent.');
    expect(await text('?format=text&name_only=agent,org/pdf')).toBe('- agent\n- pdf');
    expect(await text('?format=text&manual=agent&manual=pdf')).toBe('');
    expect(await text('?format=text&pinned=hidden,agent&budget=30')).toMatch(/^- agent: Does agent\./);
    expect(await text('?format=text')).toBe(LINES);
  });

  it('announce what waits for a path', async () => {
    expect(await text('?format=text&announce=1')).toContain('- lint: available for src/**/*.ts, src/**/*.js');
    expect(await text('?format=text&announce=0')).toBe(LINES);
  });

  it.each([
    ['announce=maybe', 'announce'],
    [`off=${'a,'.repeat(101)}b`, 'off'],
    [`pinned=${'a'.repeat(4_097)}`, 'pinned'],
    [`name_only=${'a'.repeat(801)}`, 'name_only'],
  ])('are refused where they are too much: %s', async (query, at) => {
    const answer = await get(`?${query}`);
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'bad_request', at }]);
  });
});
