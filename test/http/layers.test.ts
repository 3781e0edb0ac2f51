import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Layer } from '../../src/catalog/layers.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';
import { filesOf, put, skillPath } from '../support/publishing.ts';

let organisation = '';
let token = '';
beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
});

interface Answer {
  readonly status: string;
  readonly code: string;
  readonly revision: string;
  readonly catalog: string;
  readonly sequence: number;
  readonly data: Record<string, unknown>;
}
const answer = async (response: Promise<Response>): Promise<Answer> => (await response).json();
const body = async (name: string, query = '') =>
  (await call('GET', `/v1/skills/${name}/body${query}`, { token })).text();
const names = async (query = '') => {
  const page: { skills: { name: string }[] } = await (
    await call('GET', `/v1/skills${query}`, { token })
  ).json();
  return page.skills.map(({ name }) => name);
};
const withdraw = (name: string, query = '', layer: Layer = 'org') =>
  call('DELETE', `${skillPath(layer, name)}${query}`, { token });

describe('publishing one skill', () => {
  it('gives the very catalog that a push of the same folders gives', async () => {
    const files = {
      'one/SKILL.md': skillText('one'),
      'one/run.sh!': '#!/bin/sh\nls\n',
      'two/SKILL.md': skillText('two'),
    };
    const pushed = await push(await tokenFor(newOrganisation()), 'org', treeOf(files));
    await put(
      token,
      'two',
      filesOf('two', 'safe').map((file) => ({ ...file, text: skillText('two') })),
    );
    const last = await answer(
      put(token, 'one', [
        { path: 'run.sh', base64: btoa('#!/bin/sh\nls\n'), executable: true },
        { path: 'SKILL.md', text: skillText('one') },
      ]),
    );
    expect(last).toMatchObject({ status: 'published', catalog: pushed.catalog, sequence: 2 });
    expect(await body('one')).toBe('How to one.\n');
    const file = await call('GET', '/v1/skills/one/files/run.sh', { token });
    expect(await file.text()).toBe('#!/bin/sh\nls\n');
  });

  it('says what it is, what it asks for and what is remarkable', async () => {
    const text = `---\nname: ask\ndescription: Asks.\nallowed-tools: Bash(git diff:*), WebFetch\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ls\nversion: 2\n---\nAsk.\n`;
    expect(await answer(put(token, 'ask', [{ path: 'SKILL.md', text }]))).toMatchObject({
      status: 'published',
      layer: 'org',
      name: 'ask',
      version: '2',
      trust: 'trusted',
      origin: 'trusted',
      permissions: {
        tools: ['Bash(git diff:*)', 'WebFetch'],
        hooks: ['Stop: command ls'],
        shell: ['Bash(git diff:*)', 'Stop: command ls'],
        network: ['WebFetch'],
        requirements: [],
      },
    });
  });

  it('tells findings to people, and not to agents', async () => {
    const agent = await tokenFor(organisation, { actor: 'agent' });
    const keys = async (as: string, query: string) =>
      Object.keys(await (await put(as, 'one', filesOf('one', 'caution'), { query })).json());
    for (const query of ['?dry_run=1', '']) {
      expect(await keys(token, query)).toEqual(expect.arrayContaining(['verdict', 'findings']));
      const told = await keys(agent, query);
      for (const key of ['verdict', 'findings', 'decision', 'origin']) expect(told).not.toContain(key);
    }
  });

  it('is the same when it is made again, and keeps older revisions', async () => {
    const first = await answer(put(token, 'one', filesOf('one', 'safe')));
    const again = await answer(put(token, 'one', filesOf('one', 'safe')));
    expect(again).toMatchObject({ status: 'unchanged', sequence: 1, revision: first.revision });
    await put(token, 'one', filesOf('one', 'safe', 'More.\n'));
    await settle(organisation);
    expect(await body('one')).toMatch(/More\.\n$/);
    expect(await body('one', `?revision=${first.revision}`)).not.toMatch(/More/);
  });

  it('needs the revision that it is made from, where one is named', async () => {
    const first = await answer(put(token, 'one', filesOf('one', 'safe'), { expected: null }));
    const conflict = { code: 'publish_conflict', data: { revision: first.revision } };
    const other = filesOf('one', 'safe', 'More.\n');
    expect(await answer(put(token, 'one', other, { expected: null }))).toMatchObject(conflict);
    const tried = await answer(put(token, 'one', other, { expected: null, query: '?dry_run=1' }));
    expect(tried).toMatchObject(conflict);
    const second = await answer(put(token, 'one', other, { expected: first.revision }));
    expect(second.status).toBe('published');
    expect((await withdraw('one', `?expected=${first.revision}`)).status).toBe(409);
    expect((await withdraw('one', `?expected=${second.revision}`)).status).toBe(200);
  });

  it('lets all in who publish at once', async () => {
    const all = Array.from({ length: 6 }, (_, at) => `s${at}`);
    const answers = await Promise.all(all.map((name) => answer(put(token, name, filesOf(name, 'safe')))));
    expect(answers.map(({ status }) => status)).toEqual(all.map(() => 'published'));
    expect(answers.map(({ sequence }) => sequence).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await names()).toEqual(all);
  });

  it('changes nothing of a layer but the skill, be it of a hundred', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => [`s${at}/SKILL.md`, skillText(`s${at}`)]),
    );
    await push(token, 'org', treeOf(files));
    await put(token, 's77', filesOf('s77', 'safe', 'Changed.\n'));
    const other = await tokenFor(newOrganisation());
    const whole = await push(
      other,
      'org',
      treeOf({ ...files, 's77/SKILL.md': filesOf('s77', 'safe', 'Changed.\n')[0]?.text ?? '' }),
    );
    const view = await (
      await call('POST', '/v1/push/missing', { token, body: { layer: 'org', digests: [] } })
    ).json();
    expect(view).toMatchObject({ head: { catalog: whole.catalog, index: whole.index } });
  });

  it('takes files of megabytes, and no more than it says', async () => {
    const file = (bytes: number) => ({ path: 'data.bin', base64: btoa('\u0000'.repeat(bytes)) });
    const small = await put(token, 'one', [...filesOf('one', 'safe'), file(5_000_000)]);
    expect(small.status).toBe(200);
    const large = await answer(put(token, 'one', [...filesOf('one', 'safe'), file(7_000_000)]));
    expect(large.code).toBe('body_too_large');
  });

  it('works in every layer that the token may push to', async () => {
    for (const layer of ['user:alice', 'project:web', 'plugin:p', 'mcp:m'] as const)
      expect((await put(token, 'one', filesOf('one', 'safe'), { layer })).status).toBe(200);
    expect(await names('?scope=plugin:p')).toEqual(['one']);
    const bound = await tokenFor(organisation, { layers: ['user:alice'] });
    expect((await put(bound, 'two', filesOf('two', 'safe'), { layer: 'user:alice' })).status).toBe(200);
    expect((await put(bound, 'two', filesOf('two', 'safe'), { layer: 'user:bob' })).status).toBe(403);
    const narrow = await tokenFor(organisation, { scopes: ['layers:push'] });
    expect((await put(narrow, 'two', filesOf('two', 'safe'), { layer: 'bundled' })).status).toBe(403);
  });

  it.each<[string, string, Parameters<typeof put>[2], string]>([
    ['without a SKILL.md', 'one', [{ path: 'README.md', text: 'x' }], 'skill_invalid'],
    ['that is empty', 'one', [{ path: 'SKILL.md', text: '' }], 'skill_invalid'],
    ['with another name than its own', 'one', filesOf('two', 'safe'), 'skill_invalid'],
    ['with no file', 'one', [], 'bad_request'],
    ['with a path out of it', 'one', [...filesOf('one', 'safe'), { path: '../x', text: '' }], 'bad_request'],
    ['with an absolute path', 'one', [...filesOf('one', 'safe'), { path: '/x', text: '' }], 'bad_request'],
    ['with a path twice', 'one', [...filesOf('one', 'safe'), ...filesOf('one', 'safe')], 'bad_request'],
    ['with base64 that is none', 'one', [{ path: 'SKILL.md', base64: '!' }], 'bad_request'],
    ['with text and base64', 'one', [{ path: 'SKILL.md', text: 'a', base64: 'YQ==' }], 'bad_request'],
    ['with a SKILL.md of 1.5 MB', 'one', filesOf('one', 'safe', 'x'.repeat(1_500_000)), 'skill_invalid'],
    [
      'with 513 files',
      'one',
      Array.from({ length: 513 }, (_, at) => ({ path: `f${at}`, text: '' })),
      'bad_request',
    ],
    ['with a control character in its name', 'o\u0007', filesOf('o\u0007', 'safe'), 'bad_request'],
  ])('%s is refused', async (_what, name, files, code) => {
    expect((await answer(put(token, name, files))).code).toBe(code);
    expect(await names()).toEqual([]);
  });

  it('refuses a layer and a switch that it does not know', async () => {
    const files = filesOf('one', 'safe');
    for (const path of ['/v1/layers/team/skills/one', '/v1/layers/org/skills/one?dry_run=yes']) {
      const response = await call('PUT', path, { token, body: { files } });
      expect([path, response.status]).toEqual([path, 400]);
    }
    expect(await names()).toEqual([]);
  });
});

describe('a dry run', () => {
  it('says what would happen, and stores nothing', async () => {
    const tried = await answer(put(token, 'one', filesOf('one', 'safe'), { query: '?dry_run=1' }));
    expect(tried).toMatchObject({ status: 'published', dryRun: true, before: null, verdict: 'safe' });
    const held = await answer(put(token, 'bad', filesOf('bad', 'dangerous'), { query: '?dry_run=1' }));
    expect(held).toMatchObject({
      status: 'held',
      decision: 'block',
      verdict: 'dangerous',
      quarantine: { status: 'held' },
    });
    expect(await names()).toEqual([]);
    const page = await (await call('GET', '/v1/quarantine', { token })).json();
    expect(page).toMatchObject({ skills: [], cursor: null });
    expect((await env.KV.list({ prefix: `o/${organisation}/` })).keys).toEqual([]);
    expect((await env.R2.list({ prefix: `o/${organisation}/` })).objects).toEqual([]);
    const published = await answer(put(token, 'one', filesOf('one', 'safe')));
    expect(published).toMatchObject({ status: 'published', revision: tried.revision });
    const again = await answer(put(token, 'one', filesOf('one', 'safe'), { query: '?dry_run=1' }));
    expect(again).toMatchObject({ status: 'unchanged', before: tried.revision });
  });
});

describe('withdrawing a skill', () => {
  it('takes it out of its layer, and leaves the others and its revisions', async () => {
    const { revision } = await answer(put(token, 'one', filesOf('one', 'safe')));
    const before = await answer(put(token, 'two', filesOf('two', 'safe')));
    await settle(organisation);
    const tried = await (await withdraw('one', '?dry_run=1')).json();
    expect(tried).toEqual({ status: 'withdrawn', dryRun: true, layer: 'org', name: 'one', revision });
    expect([(await withdraw('nope', '?dry_run=1')).status, await names()]).toEqual([404, ['one', 'two']]);
    const withdrawn = await (await withdraw('one')).json();
    expect(withdrawn).toMatchObject({ status: 'withdrawn', name: 'one', revision, sequence: 3 });
    expect(withdrawn).not.toMatchObject({ catalog: before.catalog });
    expect(await names()).toEqual(['two']);
    expect(await body('one', `?revision=${revision}`)).toMatch(/Read the file/);
    expect((await withdraw('one')).status).toBe(404);
    expect((await withdraw('two')).status).toBe(200);
    expect(await names()).toEqual([]);
  });

  it('of another organisation is withdrawing nothing', async () => {
    await put(token, 'one', filesOf('one', 'safe'));
    const other = await tokenFor(newOrganisation());
    expect((await call('DELETE', skillPath('org', 'one'), { token: other })).status).toBe(404);
    expect(await names()).toEqual(['one']);
  });
});
