import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { digestOf } from '../../src/core/digest.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

const Page = z.strictObject({
  files: z.array(z.strictObject({ path: z.string(), size: z.number() })),
  next: z.string().nullable(),
});

let organisation = '';
let token = '';
let id = '';

async function runOf(script: string, as = token): Promise<string> {
  const name = `s${digestOf(script).slice(-8)}`;
  const tree = treeOf({ [`${name}/SKILL.md`]: skillText(name, '', `\`\`\`bash\n${script}\n\`\`\`\n`) });
  await push(token, 'org', tree);
  const body = { skill: name, files: [{ path: 'in/given.txt', text: 'given' }] };
  const response = await call('POST', '/v1/runs', { token: as, body, headers: { Prefer: 'wait=20' } });
  return z.object({ id: z.string(), status: z.literal('succeeded') }).parse(await response.json()).id;
}

beforeAll(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
  id = await runOf(
    [
      "mkdir -p 'a b/ü'; echo '# hi' > 'a b/ü/c%2F?#.md'",
      "echo '<script>alert(1)</script>' > page.html; printf '\\0\\1' > bin; : > empty; echo x > /tmp/not-a-result",
    ].join('\n'),
  );
});

const list = async (query = '', as = token) => call('GET', `/v1/runs/${id}/files${query}`, { token: as });
const file = async (path: string, headers: Record<string, string> = {}) =>
  call('GET', `/v1/runs/${id}/files/${path}`, { token, headers });

describe('the files of a run', () => {
  it('are listed in the order of their paths, page by page', async () => {
    const all = Page.parse(await (await list()).json());
    expect(all).toEqual({
      files: [
        { path: 'a b/ü/c%2F?#.md', size: 5 },
        { path: 'bin', size: 2 },
        { path: 'empty', size: 0 },
        { path: 'in/given.txt', size: 5 },
        { path: 'page.html', size: 26 },
      ],
      next: null,
    });
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: z.infer<typeof Page> = Page.parse(
        await (await list(`?limit=2&cursor=${encodeURIComponent(cursor)}`)).json(),
      );
      paged.push(...page.files.map(({ path }) => path));
      cursor = page.next;
    }
    expect(paged).toEqual(all.files.map(({ path }) => path));
  });

  it.each([['?limit=0'], ['?limit=x'], ['?limit=501'], [`?cursor=${'x'.repeat(600)}`]])(
    'are not listed by %s',
    async (query) => {
      expect(await (await list(query)).json()).toMatchObject({ code: 'bad_request', status: 400 });
    },
  );

  it.each([
    ['in/given.txt', 'given', 'text/plain; charset=utf-8'],
    ['a%20b/%C3%BC/c%252F%3F%23.md', '# hi\n', 'text/markdown; charset=utf-8'],
    ['page.html', '<script>alert(1)</script>\n', 'text/plain; charset=utf-8'],
    ['bin', '\u0000\u0001', 'application/octet-stream'],
    ['empty', '', 'text/plain; charset=utf-8'],
  ])('%s is served as what it is, and never as a page of ours', async (path, text, type) => {
    const response = await file(path);
    expect([response.status, await response.text()]).toEqual([200, text]);
    const headers = (name: string) => response.headers.get(name);
    expect([headers('Content-Type'), headers('X-Content-Type-Options')]).toEqual([type, 'nosniff']);
    expect(headers('Content-Security-Policy')).toContain('sandbox');
    expect(headers('Content-Disposition')).toBe(type.startsWith('text/') ? null : 'attachment');
    expect(headers('ETag')).toBe(`"${digestOf(text)}"`);
    const again = await file(path, { 'If-None-Match': headers('ETag') ?? '' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each([
    'nothing',
    '',
    'in',
    '/tmp/not-a-result',
    '..%2Ftmp%2Fnot-a-result',
    '../tmp/not-a-result',
    '%',
    'in%2F..%2Fbin',
    '%2Fworkspace%2Fbin',
  ])('%j is none of them', async (path) => {
    expect((await file(path)).status).toBe(404);
  });

  it('can be had while it works', async () => {
    const tree = treeOf({
      'slow/SKILL.md': skillText('slow', '', '```bash\necho early > f\n```\n\n```bash\nsleep 8\n```\n'),
    });
    await push(token, 'org', tree);
    const response = await call('POST', '/v1/runs', { token, body: { skill: 'slow' } });
    const run = z.object({ id: z.string() }).parse(await response.json()).id;
    const read = async () => (await call('GET', `/v1/runs/${run}/files/f`, { token })).text();
    await expect.poll(read, { timeout: 7_000 }).toBe('early\n');
    expect(await (await call('GET', `/v1/runs/${run}`, { token })).json()).toMatchObject({
      status: 'running',
    });
  });

  it('of the largest size arrive whole', async () => {
    const copies = (file: string, to: string, times: number) =>
      `for i in $(seq ${times}); do cat ${file} ${file} ${file} >> ${to}; done`;
    const script = ['seq 10000 > s', copies('s', 'm', 7), 'cat m m m m m m > big', 'rm s m'].join('; ');
    const run = await runOf(script);
    const response = await call('GET', `/v1/runs/${run}/files/big`, { token });
    expect((await response.arrayBuffer()).byteLength).toBe(48_894 * 21 * 6);
  });

  it('are nobody else’s', async () => {
    const outsiders = [
      await tokenFor(newOrganisation()),
      await tokenFor(organisation, { layers: ['user:bob'] }),
    ];
    for (const outsider of outsiders) {
      expect(await (await list('', outsider)).json()).toMatchObject({ code: 'run_unknown', status: 404 });
      const read = await call('GET', `/v1/runs/${id}/files/bin`, { token: outsider });
      expect(await read.json()).toMatchObject({ code: 'run_unknown', status: 404 });
    }
  });
});
