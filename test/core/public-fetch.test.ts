import { describe, expect, it } from 'vitest';
import { fetchPublic, type PublicRequest } from '../../src/core/public-fetch.ts';

interface Seen {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A network of a few pages. */
function network(pages: Readonly<Record<string, () => Response | Promise<Response>>>) {
  const seen: Seen[] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request = new Request(url, init);
    seen.push({
      url,
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: await request.clone().text(),
    });
    expect(init.redirect).toBe('manual');
    const page = pages[url];
    if (!page) throw new TypeError(`connect ECONNREFUSED 10.1.2.3 for ${url}`);
    return Promise.race([
      page(),
      new Promise<never>((_, reject) => {
        init.signal?.addEventListener('abort', () => reject(new Error('aborted')));
      }),
    ]);
  };
  return { seen, fetch };
}

const to = (status: number, location: string) => () =>
  new Response('moved', { status, headers: { Location: location } });
const page =
  (text: string, status = 200) =>
  () =>
    new Response(text, { status });

const request: PublicRequest = {
  url: 'https://a.example/hook',
  method: 'POST',
  headers: { 'X-Key': 'secret' },
  body: { type: 'application/json', text: '{"x":1}' },
  milliseconds: 1_000,
  answerBytes: 100,
  objection: () => null,
};

describe('a fetch for somebody else', () => {
  it('sends what it was given and answers what came', async () => {
    const { seen, fetch } = network({ 'https://a.example/hook': page('fine', 418) });
    expect(await fetchPublic(fetch, request)).toEqual({
      ok: true,
      value: {
        status: 418,
        url: 'https://a.example/hook',
        contentType: 'text/plain;charset=UTF-8',
        bytes: new TextEncoder().encode('fine'),
        text: 'fine',
      },
    });
    expect(seen).toEqual([
      {
        url: 'https://a.example/hook',
        method: 'POST',
        headers: { 'x-key': 'secret', 'content-type': 'application/json' },
        body: '{"x":1}',
      },
    ]);
  });

  it('keeps method and body in a redirect, and its headers from another origin', async () => {
    const { seen, fetch } = network({
      'https://a.example/hook': to(307, '/moved'),
      'https://a.example/moved': to(308, 'https://b.example/'),
      'https://b.example/': to(307, 'https://b.example:8443/'),
      'https://b.example:8443/': page('there'),
    });
    expect(await fetchPublic(fetch, request)).toMatchObject({ ok: true, value: { text: 'there' } });
    expect(seen.map(({ method, headers, body }) => [method, headers['x-key'], body])).toEqual([
      ['POST', 'secret', '{"x":1}'],
      ['POST', 'secret', '{"x":1}'],
      ['POST', undefined, '{"x":1}'],
      ['POST', undefined, '{"x":1}'],
    ]);
  });

  it.each([301, 302, 303])('does not turn a POST into a GET for a %i', async (status) => {
    const { seen, fetch } = network({ 'https://a.example/hook': to(status, '/moved') });
    expect(await fetchPublic(fetch, request)).toEqual({
      ok: false,
      error: `a redirect with ${status} would lose what was sent`,
    });
    expect(seen).toHaveLength(1);
    const get = network({
      'https://a.example/hook': to(status, '/moved'),
      'https://a.example/moved': page('there'),
    });
    expect(await fetchPublic(get.fetch, { ...request, method: 'GET', body: null })).toMatchObject({
      ok: true,
    });
  });

  it.each([
    ['http://b.example/', 'a redirect is refused: it does not begin with https:'],
    ['https://127.0.0.1/', 'a redirect is refused: its host is private'],
    ['https://2852039166/latest/meta-data', 'a redirect is refused: its host is private'],
    ['//[::ffff:10.0.0.1]/', 'a redirect is refused: its host is private'],
    ['https://x:y@b.example/', 'a redirect is refused: it has credentials in it'],
    ['https://[', 'a redirect is refused: it is no URL'],
    ['https://denied.example/', 'a redirect is refused: not there'],
  ])('checks where a redirect goes: %s', async (location, error) => {
    const { seen, fetch } = network({ 'https://a.example/hook': to(307, location) });
    const objection = ({ hostname }: URL) => (hostname === 'denied.example' ? 'not there' : null);
    expect(await fetchPublic(fetch, { ...request, objection })).toEqual({ ok: false, error });
    expect(seen).toHaveLength(1);
  });

  it('follows three redirects and no more', async () => {
    const { seen, fetch } = network({ 'https://a.example/hook': to(307, '/hook') });
    expect(await fetchPublic(fetch, request)).toEqual({
      ok: false,
      error: 'there are more than 3 redirects',
    });
    expect(seen).toHaveLength(4);
  });

  it('reads no more than it may, and waits no longer', async () => {
    const long = network({ 'https://a.example/hook': page('x'.repeat(101)) });
    expect(await fetchPublic(long.fetch, request)).toEqual({
      ok: false,
      error: 'the answer has more than 100 bytes',
    });
    const full = network({ 'https://a.example/hook': page('x'.repeat(100)) });
    expect(await fetchPublic(full.fetch, request)).toMatchObject({ ok: true });
    const slow = network({ 'https://a.example/hook': () => new Promise<Response>(() => undefined) });
    expect(await fetchPublic(slow.fetch, { ...request, milliseconds: 20 })).toEqual({
      ok: false,
      error: 'no answer within 20 ms',
    });
  });

  it('tells nothing of the network around it', async () => {
    const { fetch } = network({});
    expect(await fetchPublic(fetch, request)).toEqual({
      ok: false,
      error: 'the server could not be reached',
    });
  });

  it.each([
    'Host',
    'content-length',
    'Cookie',
    'CF-Connecting-IP',
    'X-Forwarded-For',
    'Transfer-Encoding',
    'Content-Type',
  ])('does not set %s', async (name) => {
    const { seen, fetch } = network({});
    expect(await fetchPublic(fetch, { ...request, headers: { [name]: 'x' } })).toEqual({
      ok: false,
      error: `the header ${name} may not be set`,
    });
    expect(seen).toEqual([]);
  });

  it('refuses headers that are none', async () => {
    const { fetch } = network({ 'https://a.example/hook': page('') });
    for (const headers of [{ 'X Y': 'x' }, { 'X-Y': 'a\r\nHost: b' }])
      expect(await fetchPublic(fetch, { ...request, headers })).toMatchObject({ ok: false });
  });
});
