import { beforeAll, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { SessionClient } from '../session/support.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let organisation = '';
let token = '';
beforeAll(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await push(
    token,
    'org',
    treeOf({
      'pdf/SKILL.md': skillText('pdf', '', 'Read it.\n'),
      'pdf/references/tables.md': '# Tables\n',
      'other/SKILL.md': skillText('other'),
      'other/secret.md': 'SECRET',
      'waits/SKILL.md': skillText('waits', 'paths: ["**/*.md"]\n'),
    }),
  );
});

/** What points outside of its skill, or nowhere. */
const HOSTILE = [
  'skill://',
  'skill:///etc/passwd',
  'skill://pdf/../other/secret.md',
  'skill://pdf/%2e%2e/other/secret.md',
  'skill://pdf/..%2fother%2fsecret.md',
  'skill://pdf/references%2Ftables.md',
  'skill://pdf//references/tables.md',
  String.raw`skill://pdf\..\other`,
  'skill://pdf/SKILL.md%00',
  'skill://pdf/SKILL.md\u0000',
  'skill://pdf/%zz',
  'skill://%00pdf',
];

/** A refusal says nothing of where anything lies. */
function expectNoLeak(text: string): void {
  expect(text).not.toMatch(/SECRET|secret|passwd|o\/org-|sha256|\\u0000/);
}

describe('skill:// as the name of a skill in a body', () => {
  it.each(['/v1/decisions', '/v1/invoke', '/v1/runs'])('%s takes it', async (path) => {
    for (const skill of ['skill://pdf', 'skill://pdf/SKILL.md', '/SKILL://org%2Fpdf/']) {
      const response = await call('POST', path, { token, body: { skill } });
      expect([skill, response.status < 300]).toEqual([skill, true]);
    }
  });

  it.each([...HOSTILE, 'skill://pdf/references/tables.md'])('%j names none', async (skill) => {
    for (const path of ['/v1/decisions', '/v1/invoke', '/v1/runs']) {
      const response = await call('POST', path, { token, body: { skill } });
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toMatchObject([
        400,
        { code: 'skill_invalid_name', errorCode: 1 },
      ]);
      expectNoLeak(text);
    }
  });

  it('names the nearest for one that is not there', async () => {
    const answer = await call('POST', '/v1/invoke', { token, body: { skill: 'skill://pfd' } });
    expect(await answer.json()).toMatchObject({ code: 'skill_unknown', data: { nearest: ['pdf'] } });
  });
});

describe('skill:// as the name of a skill in a path', () => {
  const get = (name: string, rest = '') =>
    call('GET', `/v1/skills/${encodeURIComponent(name)}${rest}`, { token });

  it.each(['skill://pdf', 'skill://pdf/', 'skill://pdf/SKILL.md', 'skill://org%2Fpdf'])(
    '%s',
    async (name) => {
      expect(await (await get(name)).json()).toMatchObject({ name: 'pdf', layer: 'org' });
      expect(await (await get(name, '/body')).text()).toBe('Read it.\n');
      expect(await (await get(name, '/files/references/tables.md')).text()).toBe('# Tables\n');
    },
  );

  it.each([...HOSTILE, 'skill://pdf/references/tables.md'])('%j names none', async (name) => {
    for (const rest of ['', '/body', '/files/SKILL.md']) {
      const response = await get(name, rest);
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toMatchObject([400, { code: 'skill_invalid_name' }]);
      expectNoLeak(text);
    }
  });
});

describe('skill:// as the path of a file', () => {
  const file = (path: string, name = 'pdf') => call('GET', `/v1/skills/${name}/files/${path}`, { token });

  it.each([
    ['skill://pdf/references/tables.md', '# Tables\n'],
    ['skill://org%2Fpdf/references/tables.md', '# Tables\n'],
    ['skill://pdf', skillText('pdf', '', 'Read it.\n')],
    ['skill://pdf/SKILL.md', skillText('pdf', '', 'Read it.\n')],
  ])('%s', async (url, text) => {
    expect(await (await file(encodeURIComponent(url))).text()).toBe(text);
    expect(await (await file(encodeURIComponent(url), 'org%2Fpdf')).text()).toBe(text);
  });

  it('that is not encoded', async () => {
    expect(await (await file('skill://pdf/references/tables.md')).text()).toBe('# Tables\n');
  });

  it.each([...HOSTILE, 'skill://other/secret.md', 'skill://other', 'skill://user:alice%2Fpdf'])(
    '%j is none of this skill',
    async (url) => {
      const response = await file(encodeURIComponent(url));
      const text = await response.text();
      expect([response.status, JSON.parse(text)]).toMatchObject([404, { code: 'not_found' }]);
      expectNoLeak(text);
    },
  );
});

describe('skill:// as a path that was touched', () => {
  it('is nothing of the project', async () => {
    const session = await SessionClient.begin(organisation, token);
    const touch = (body: object) => session.call('POST', '/paths', { body });
    for (const path of ['skill://pdf/references/tables.md', 'skill://pdf', ...HOSTILE])
      expect(await touch({ paths: [path] })).toMatchObject({ status: 200, body: { activated: [] } });
    const command = { command: 'cat skill://pdf/references/tables.md' };
    expect(await touch(command)).toMatchObject({ status: 200, body: { activated: [] } });
    expect((await touch({ paths: ['a.md'] })).body['activated']).toHaveLength(1);
  });
});
