import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { searchName } from '../../src/store/keys.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';

interface Answer {
  readonly results: {
    name: string;
    layer: string;
    score: number;
    revision: string;
    listing: string;
    trust: string;
    snippet: { text: string; marks: { start: number; end: number }[] };
  }[];
  readonly lag: { layer: string; catalog: string; searched: string | null; current: boolean }[];
}

let organisation = '';
let token = '';
beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
});

const described = (name: string, description: string, more = '') =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n# ${name}\n`;
const publish = async (layer: string, skills: Record<string, string>) => {
  const files = Object.entries(skills).map(([name, text]) => [`${name}/SKILL.md`, text]);
  return push(token, layer, treeOf(Object.fromEntries(files)));
};
const search = async (query: string, asked = token): Promise<Answer> =>
  (await call('GET', `/v1/skills/search?${query}`, { token: asked })).json();
const names = async (query: string) => (await search(query)).results.map(({ name }) => name);

describe('GET /v1/skills/search', () => {
  it('finds the skill for a request, says why, and which catalog it looked at', async () => {
    const { catalog } = await publish('org', {
      pdf: described('pdf', 'Merge, split and fill PDF files.'),
      rust: described('rust', 'Writes Rust.'),
      sql: described('sql', 'Makes queries fast.'),
    });
    await settle(organisation);
    const { results, lag } = await search('q=please+merge+two+pdf+files');
    expect(results.map(({ name, layer }) => [name, layer])).toEqual([['pdf', 'org']]);
    const { text, marks } = results[0]?.snippet ?? { text: '', marks: [] };
    expect(marks.map(({ start, end }) => text.slice(start, end))).toEqual(['Merge', 'PDF', 'files']);
    expect(lag).toEqual([{ layer: 'org', catalog, searched: catalog, current: true }]);
  });

  it('follows every publish: new, changed and withdrawn skills', async () => {
    await publish('org', { one: described('one', 'About apples.'), two: described('two', 'About pears.') });
    await settle(organisation);
    expect(await names('q=apples')).toEqual(['one']);
    await publish('org', {
      one: described('one', 'About plums.'),
      three: described('three', 'About apples.'),
    });
    const [lag] = (await search('q=apples')).lag;
    expect(lag?.current === true || lag?.searched !== lag?.catalog).toBe(true);
    await settle(organisation);
    expect(await names('q=apples')).toEqual(['three']);
    expect(await names('q=plums')).toEqual(['one']);
    expect(await names('q=pears')).toEqual([]);
  });

  it('merges the layers of the view only, and qualifies what another layer shadows', async () => {
    await publish('org', { deploy: described('deploy', 'Ships to production.') });
    await publish('user:alice', {
      deploy: described('deploy', 'Ships my own site to production.'),
      mine: described('mine', 'Ships parcels.'),
    });
    await publish('user:bob', { secret: described('secret', 'Ships gold.') });
    await settle(organisation);
    expect(await names('q=ships')).toEqual(['deploy']);
    expect((await names('q=ships&scope=user:alice')).toSorted()).toEqual([
      'deploy',
      'mine',
      'user:alice/deploy',
    ]);
    const bound = await tokenFor(organisation, { layers: ['user:alice'] });
    expect((await search('q=gold', bound)).results).toEqual([]);
    expect(await search('q=gold&scope=user:bob', bound)).toMatchObject({ code: 'forbidden' });
    const foreign = await tokenFor(newOrganisation());
    expect(await search('q=ships', foreign)).toMatchObject({ results: [] });
  });

  it('shows a skill that two layers share once, in the first of them', async () => {
    const same = { deploy: described('deploy', 'Ships to production.') };
    await publish('org', same);
    await publish('user:alice', same);
    await settle(organisation);
    const { results } = await search('q=ships&scope=user:alice');
    expect(results.map(({ name, layer }) => [name, layer])).toEqual([['deploy', 'org']]);
  });

  it('tells whom a result is from, and leaves out for models what only people start', async () => {
    await publish('org', {
      ours: described('ours', 'Ships parcels.'),
      people: described('people', 'Ships letters.', 'disable-model-invocation: true\n'),
    });
    await publish('mcp:post', { theirs: described('theirs', 'Ships stamps.') });
    await settle(organisation);
    const rows = async (query: string) =>
      (await search(`q=ships&scope=mcp:post${query}`)).results
        .map(({ name, listing, trust }) => [name, listing, trust])
        .toSorted();
    const [ours, theirs] = [
      ['ours', 'auto', 'trusted'],
      ['mcp:post/theirs', 'auto', 'community'],
    ];
    expect(await rows('')).toEqual([theirs, ours, ['people', 'manual', 'trusted']]);
    expect(await rows('&audience=model')).toEqual([theirs, ours]);
  });

  it('stores nothing for a layer that was never published', async () => {
    expect(await search('q=x&scope=user:nobody')).toEqual({ results: [], lag: [] });
    const object = env.SEARCH.getByName(searchName('user:nobody', organisation));
    expect(await object.search({ text: 'x', limit: 1, hidden: [] })).toMatchObject({
      catalog: null,
      hits: [],
    });
    const tables = await runInDurableObject(object, (_instance, state) =>
      state.storage.sql.exec('SELECT name FROM sqlite_master').toArray(),
    );
    expect(tables).toEqual([]);
  });

  it.each([
    '',
    'q=',
    'q=%20',
    `q=${'x'.repeat(513)}`,
    'q=x&limit=0',
    'q=x&limit=51',
    'q=x&limit=a',
    'q=x&audience=user',
  ])('refuses %s', async (query) => {
    const response = await call('GET', `/v1/skills/search?${query}`, { token });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([400, 'bad_request']);
  });

  it.each([
    '"',
    "'",
    'a AND',
    'NEAR(a b)',
    'name:x',
    '* OR *',
    '^a',
    '-a',
    '{a}:b',
    '\0',
    ';DROP TABLE words',
    '(((',
  ])('takes %j as words', async (text) => {
    await publish('org', { one: skillText('one') });
    await settle(organisation);
    const response = await call('GET', `/v1/skills/search?q=x${encodeURIComponent(text)}`, { token });
    expect(response.status).toBe(200);
  });
});
