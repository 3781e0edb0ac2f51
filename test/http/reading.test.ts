import { beforeAll, describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

let token = '';
let other = '';

beforeAll(async () => {
  const organisation = newOrganisation();
  token = await tokenFor(organisation);
  other = await tokenFor(newOrganisation());
  const org = treeOf({
    'pdf/SKILL.md': skillText(
      'pdf',
      'version: 1.10\nwhen_to_use: when a PDF is at hand\n',
      'Read $ARGUMENTS.\n',
    ),
    'pdf/references/tables.md': '# Tables\n',
    'pdf/scripts/x.sh!': 'echo "<script>alert(1)</script>"\n',
    'pdf/page.html': '<script>alert(1)</script>',
    'pdf/logo.bin': new Uint8Array([0, 1, 2, 255]),
    'hidden/SKILL.md': skillText('hidden', 'disable-model-invocation: true\n'),
    'a/b/SKILL.md': skillText('contact-center/android'),
  });
  const pushed = await push(token, 'org', org);
  expect(pushed.response.status).toBe(200);
  await push(
    token,
    'user:alice',
    treeOf({ 'pdf/SKILL.md': skillText('pdf', '', 'Alice.\n'), 'own/SKILL.md': skillText('own') }),
  );
});

describe('GET /v1/listing', () => {
  it('lists what models may start, within the budget, with counts that add up', async () => {
    const response = await call('GET', '/v1/listing?context_window=200000', { token });
    expect(response.status).toBe(200);
    const answer = await response.json();
    expect(answer).toMatchObject({
      listing:
        '- contact-center/android: Does contact-center/android.\n- pdf: Does pdf. - when a PDF is at hand',
      unit: 'characters',
      used: 95,
      budget: 8000,
      contextWindow: 200_000,
      counts: { total: 3, full: 2, shortened: 0, nameOnly: 0, omitted: 0, unlisted: 1, shadowed: 0 },
    });
  });

  it.each([8_000, 32_000, 1, 4_000])('never exceeds the budget of %d tokens', async (window) => {
    const answer: { used: number; budget: number; listing: string; counts: Record<string, number> } = await (
      await call('GET', `/v1/listing?context_window=${window}`, { token })
    ).json();
    expect(answer.used).toBeLessThanOrEqual(answer.budget);
    expect(answer.listing).toHaveLength(answer.used);
    const { total, ...states } = answer.counts;
    expect(Object.values(states).reduce((sum, count) => sum + count, 0)).toBe(total);
  });

  it('shows a user layer only where it is named, and its namesake as shadowed', async () => {
    const answer = await (await call('GET', '/v1/listing?scope=user:alice', { token })).json();
    expect(answer).toMatchObject({ budget: 8000, counts: { total: 5, full: 3, unlisted: 1, shadowed: 1 } });
  });

  it('answers text, an ETag, and 304 to who has it', async () => {
    const response = await call('GET', '/v1/listing?format=text', { token });
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toMatch(/^- contact-center/);
    const tag = response.headers.get('ETag') ?? '';
    for (const known of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const again = await call('GET', '/v1/listing?format=text', {
        token,
        headers: { 'If-None-Match': known },
      });
      expect([again.status, await again.text()]).toEqual([304, '']);
    }
    expect((await call('GET', '/v1/listing', { token, headers: { 'If-None-Match': '"x"' } })).status).toBe(
      200,
    );
  });

  it.each(['0', '-1', '1.5', 'abc', '1e99', '', '100000001'])('refuses a window of %o', async (window) => {
    const response = await call('GET', `/v1/listing?context_window=${window}`, { token });
    expect([response.status, response.headers.get('Content-Type')]).toEqual([
      400,
      'application/problem+json',
    ]);
    expect(await response.json()).toMatchObject({ code: 'bad_request', at: 'context_window' });
  });
});

describe('GET /v1/skills', () => {
  it('pages in name order', async () => {
    const first: { skills: { name: string }[]; next: string } = await (
      await call('GET', '/v1/skills?limit=2', { token })
    ).json();
    expect(first.skills.map(({ name }) => name)).toEqual(['contact-center/android', 'hidden']);
    const second = await (
      await call('GET', `/v1/skills?limit=2&cursor=${encodeURIComponent(first.next)}`, { token })
    ).json();
    expect(second).toMatchObject({
      skills: [{ name: 'pdf', layer: 'org', version: '1.10', origins: [{ layer: 'org', folder: 'pdf' }] }],
      next: null,
    });
  });

  it('keeps namesakes of two layers together, the loser qualified', async () => {
    const page: { skills: { name: string; layer: string }[] } = await (
      await call('GET', '/v1/skills?scope=user:alice', { token })
    ).json();
    expect(page.skills.map(({ name, layer }) => [name, layer])).toEqual([
      ['contact-center/android', 'org'],
      ['hidden', 'org'],
      ['own', 'user:alice'],
      ['pdf', 'org'],
      ['user:alice/pdf', 'user:alice'],
    ]);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=%00'])('refuses %s', async (query) => {
    expect((await call('GET', `/v1/skills?${query}`, { token })).status).toBe(400);
  });
});

describe('GET /v1/skills/{name}', () => {
  it('tells everything about a skill', async () => {
    const answer = await (await call('GET', '/v1/skills/pdf', { token })).json();
    expect(answer).toMatchObject({
      name: 'pdf',
      layer: 'org',
      version: '1.10',
      listing: 'auto',
      kind: 'skill',
      trust: 'trusted',
      scope: null,
      plugin: null,
      fields: { whenToUse: 'when a PDF is at hand', context: 'inline' },
      frontmatter: { name: 'pdf', version: 1.1 },
      origins: [{ layer: 'org', folder: 'pdf' }],
      files: [
        { path: 'SKILL.md' },
        { path: 'logo.bin' },
        { path: 'page.html' },
        { path: 'references/tables.md' },
        { path: 'scripts/x.sh', executable: true },
      ],
    });
  });

  it('finds names with a slash, and qualified ones', async () => {
    const body = async (name: string) =>
      (await call('GET', `/v1/skills/${encodeURIComponent(name)}/body?scope=user:alice`, { token })).text();
    expect(await body('contact-center/android')).toBe('How to contact-center/android.\n');
    expect(await body('user:alice/pdf')).toBe('Alice.\n');
    expect(await body('org/pdf')).toBe('Read $ARGUMENTS.\n');
    expect(await body('pdf')).toBe('Read $ARGUMENTS.\n');
  });

  it('serves the body as Markdown, with HEAD and 304', async () => {
    const response = await call('GET', '/v1/skills/pdf/body', { token });
    expect(await response.text()).toBe('Read $ARGUMENTS.\n');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'private, no-cache',
      vary: 'Authorization',
      'x-content-type-options': 'nosniff',
    });
    const head = await call('HEAD', '/v1/skills/pdf/body', { token });
    expect([head.status, await head.text(), head.headers.get('ETag')]).toEqual([
      200,
      '',
      response.headers.get('ETag'),
    ]);
    const again = await call('GET', '/v1/skills/pdf/body', {
      token,
      headers: { 'If-None-Match': response.headers.get('ETag') ?? '' },
    });
    expect(again.status).toBe(304);
  });

  it('answers a foreign skill and a missing one alike, without a trace of the other tenant', async () => {
    const answers = await Promise.all(
      ['pdf', 'no-such-skill'].map(async (name) => {
        const response = await call('GET', `/v1/skills/${name}`, { token: other });
        const { detail, requestId, ...rest }: { detail: string; requestId: string } = await response.json();
        expect(requestId).toMatch(/^req_/);
        return { status: response.status, detail: detail.replace(name, 'NAME'), ...rest };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject({ status: 404, code: 'skill_unknown', errorCode: 2 });
    expect((await call('GET', '/v1/skills/pdf?scope=user:alice', { token: other })).status).toBe(404);
  });

  it('finds exactly one revision or version', async () => {
    const { revision }: { revision: string } = await (await call('GET', '/v1/skills/pdf', { token })).json();
    expect((await call('GET', `/v1/skills/pdf?revision=${revision}`, { token })).status).toBe(200);
    expect((await call('GET', `/v1/skills/pdf?version=1.10`, { token })).status).toBe(200);
    expect((await call('GET', `/v1/skills/pdf?version=1.1`, { token })).status).toBe(404);
    expect((await call('GET', `/v1/skills/pdf?revision=sha256:${'0'.repeat(64)}`, { token })).status).toBe(
      404,
    );
    expect((await call('GET', `/v1/skills/hidden?revision=${revision}`, { token })).status).toBe(404);
    expect((await call('GET', `/v1/skills/pdf?revision=latest`, { token })).status).toBe(400);
  });
});

describe('GET /v1/skills/{name}/files/{path}', () => {
  it.each([
    ['SKILL.md', 'text/markdown; charset=utf-8', null],
    ['references/tables.md', 'text/markdown; charset=utf-8', null],
    ['references%2Ftables.md', 'text/markdown; charset=utf-8', null],
    ['scripts/x.sh', 'text/plain; charset=utf-8', null],
    ['page.html', 'text/plain; charset=utf-8', null],
    ['logo.bin', 'application/octet-stream', 'attachment'],
  ])('%s', async (path, type, disposition) => {
    const response = await call('GET', `/v1/skills/pdf/files/${path}`, { token });
    expect(response.status).toBe(200);
    expect([response.headers.get('Content-Type'), response.headers.get('Content-Disposition')]).toEqual([
      type,
      disposition,
    ]);
    expect(response.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0);
  });

  it('gives back the very bytes', async () => {
    const bytes = new Uint8Array(
      await (await call('GET', '/v1/skills/pdf/files/logo.bin', { token })).arrayBuffer(),
    );
    expect([...bytes]).toEqual([0, 1, 2, 255]);
  });

  const segments = [
    '..',
    '%2e%2e',
    '%252e%252e',
    '.%2e',
    '..%2f',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '%c0%ae%c0%ae',
    '..%00',
    '....//',
    '%uff0e%uff0e',
    '．．',
  ];
  const targets = ['own/SKILL.md', 'hidden/SKILL.md', 'etc/passwd', 'b/00', ''];
  const traversals = segments.flatMap((segment) =>
    targets.flatMap((target) => [
      `${segment}/${target}`,
      `references/${segment}/${segment}/${target}`,
      `/${segment}/${target}`,
    ]),
  );
  it.each([
    ...traversals,
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'file:///etc/passwd',
    'SKILL.md/',
    'SKILL.md%00',
    'skill.md',
    '%',
    '%zz',
    'references',
    'references/',
    '.',
    './SKILL.md',
    '%2e/SKILL.md',
  ])('is 404 for %s', async (path) => {
    // new URL() resolves dot segments as any client does; what is left must not reach a file outside of the skill.
    const response = await call('GET', `/v1/skills/pdf/files/${path}`, { token });
    const text = await response.text();
    if (response.status === 200)
      expect(new URL(`https://x/v1/skills/pdf/files/${path}`).pathname).toBe('/v1/skills/pdf/files/SKILL.md');
    else expect([response.status, text.includes('problem')]).toEqual([404, true]);
  });
});
