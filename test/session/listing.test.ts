import { beforeEach, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';
import { SessionClient } from './support.ts';

let organisation = '';
let token = '';
let session = new SessionClient('', '', '');

const SKILLS = {
  'pdf/SKILL.md': skillText('pdf'),
  'lint/SKILL.md': skillText('lint', 'paths: src/**/*.ts\n'),
};

async function publish(skills: Record<string, string>, layer = 'org'): Promise<void> {
  expect((await push(token, layer, treeOf(skills))).response.status).toBe(200);
}

beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  await publish(SKILLS);
  session = await SessionClient.begin(organisation, token);
});

describe('a listing in a session', () => {
  it('is everything once, and then what is new', async () => {
    expect(await session.list()).toMatchObject({
      text: '- pdf: Does pdf.',
      isInitial: true,
      sequence: 1,
      skillCount: 1,
      added: ['pdf'],
      budget: 7_200,
      total: 8_000,
      spent: 16,
    });
    expect(await session.list()).toMatchObject({ text: '', isInitial: false, sequence: 2, skillCount: 1 });
  });

  it('stands at the catalogs of the beginning until it is refreshed', async () => {
    await session.list();
    await publish({ 'pdf/SKILL.md': skillText('pdf'), 'csv/SKILL.md': skillText('csv') });
    expect(await session.list()).toMatchObject({ text: '', added: [], gone: [] });
    expect(await session.list('?refresh=1')).toMatchObject({
      text: '- csv: Does csv.',
      added: ['csv'],
      skillCount: 2,
    });
    await publish({ 'csv/SKILL.md': skillText('csv') });
    expect(await session.list('?refresh=1')).toMatchObject({
      text: 'No longer available: pdf.',
      gone: ['pdf'],
      skillCount: 1,
    });
  });

  it('obeys the settings of now', async () => {
    await session.list();
    await call('PUT', '/v1/settings', { token, body: { states: { pdf: 'off' } } });
    expect(await session.list()).toMatchObject({ text: 'No longer available: pdf.', gone: ['pdf'] });
  });

  it('is counted for each agent by itself', async () => {
    await session.list('?agent=a');
    expect(await session.list('?agent=b')).toMatchObject({ isInitial: true, added: ['pdf'], sequence: 1 });
    expect(await session.list('?agent=a')).toMatchObject({ isInitial: false, added: [], sequence: 2 });
  });

  it('has the states of the session and of the request', async () => {
    const quiet = await SessionClient.begin(organisation, token, { body: { states: { pdf: 'name-only' } } });
    expect(await quiet.list()).toMatchObject({ text: '- pdf' });
    expect(await quiet.list('?off=pdf')).toMatchObject({ gone: ['pdf'] });
  });
});

describe('an answer that was lost', () => {
  it('is had again by the number before it', async () => {
    const first = await session.list('?after=0');
    expect(await session.list('?after=0')).toEqual(first);
    const second = await session.list('?after=1');
    expect(second).toMatchObject({ sequence: 2, text: '' });
    expect(await session.list('?after=1')).toEqual(second);
  });

  it('is had again by its key, and a key stands for one request', async () => {
    const key = { 'Idempotency-Key': 'k1' };
    const first = await session.list('', key);
    expect(await session.list('', key)).toEqual(first);
    expect(await session.call('POST', '/listing?query=other', { headers: key })).toMatchObject({
      status: 409,
      body: { code: 'session_conflict' },
    });
    expect(await session.list()).toMatchObject({ sequence: 2 });
  });

  it('is the whole again for a caller that counts otherwise', async () => {
    await session.list();
    await session.list();
    await session.list();
    for (const after of [0, 1, 9])
      expect(await session.list(`?after=${after}`)).toMatchObject({ isInitial: true, added: ['pdf'] });
  });

  it('does not begin a second session', async () => {
    const headers = { 'Idempotency-Key': 'same' };
    const one = await SessionClient.begin(organisation, token, { headers });
    const two = await SessionClient.begin(organisation, token, { headers });
    expect(one.id).toBe(two.id);
    const other = await call('POST', '/v1/sessions', { token, headers, body: { platform: 'linux' } });
    expect([other.status, await other.json()]).toMatchObject([409, { code: 'session_conflict' }]);
  });
});

describe('touched paths', () => {
  const touch = async (body: unknown, headers: Record<string, string> = {}) =>
    (await session.call('POST', '/paths', { body, headers })).body;

  it('activate what waits for them, for one agent and for good', async () => {
    await session.list();
    expect(await touch({ paths: ['docs/a.md'] })).toEqual({ paths: ['docs/a.md'], activated: [] });
    expect(await touch({ paths: ['./src/app.ts'] })).toEqual({
      paths: ['src/app.ts'],
      activated: [{ name: 'lint', layer: 'org' }],
    });
    expect(await touch({ paths: ['src/b.ts'] })).toMatchObject({ activated: [] });
    expect(await session.list()).toMatchObject({ text: '- lint: Does lint.', added: ['lint'] });
    expect(await session.list('?agent=other')).toMatchObject({ added: ['pdf'] });
  });

  it('are found in commands and told from absolute ones', async () => {
    session = await SessionClient.begin(organisation, token, { body: { projectDirectory: '/home/me/web' } });
    expect(await touch({ command: 'cat ../README.md > /tmp/x.ts', folder: 'docs' })).toMatchObject({
      paths: ['README.md'],
      activated: [],
    });
    expect(await touch({ command: 'sed -n 1,9p /home/me/web/src/app.ts' })).toMatchObject({
      paths: ['src/app.ts'],
      activated: [{ name: 'lint' }],
    });
  });

  it('have the separators of the host', async () => {
    session = await SessionClient.begin(organisation, token, { body: { platform: 'win32' } });
    expect(await touch({ paths: ['src\\app.ts'] })).toMatchObject({
      paths: ['src/app.ts'],
      activated: [{ name: 'lint' }],
    });
  });

  it('answer a repeated request as before', async () => {
    const key = { 'Idempotency-Key': 'touched' };
    const first = await touch({ paths: ['src/app.ts'] }, key);
    expect(first).toMatchObject({ activated: [{ name: 'lint' }] });
    expect(await touch({ paths: ['src/app.ts'] }, key)).toEqual(first);
  });
});

describe('compaction', () => {
  it('lists everything again, what was activated too', async () => {
    await session.list();
    await session.call('POST', '/paths', { body: { paths: ['src/app.ts'] } });
    await session.list();
    const compacted = await session.compact();
    expect(compacted).toMatchObject({
      listing: {
        text: '- lint: Does lint.\n- pdf: Does pdf.',
        isInitial: true,
        sequence: 3,
        skillCount: 2,
      },
      messages: [],
      attached: [],
      left: [],
    });
    expect(compacted.listing?.['spent']).toBe(String(compacted.listing?.['text']).length);
    expect(await session.compact('?after=2')).toEqual(compacted);
    expect(await session.list('?after=3')).toMatchObject({ isInitial: false, text: '' });
  });
});
