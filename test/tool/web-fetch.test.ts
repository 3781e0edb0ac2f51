import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, test } from 'vitest';
import { HTTP_LIMITS, WEB_LIMITS } from '../../src/core/limits.ts';
import type { RunStart } from '../../src/invoke/runs/run-contract.ts';
import { toolbox } from '../../src/tool/toolbox.ts';
import { addressOf, drain, person, runs, startOf, stubOf, useDependencies, view } from '../run/support.ts';
import { allTools, answersOf, called, NO_PORTS, oneByOne } from './support.ts';

type Rules = RunStart['rules'];
const allow = (pattern: string): Rules[number] => ({ effect: 'allow', pattern, layer: 'organisation' });
const EXAMPLE: Rules = [allow('WebFetch(domain:example.org)'), allow('WebFetch(domain:*.example.org)')];

const respond = (body: BodyInit | null, type: string, status = 200) =>
  new Response(body, { status, headers: { 'Content-Type': type } });
const to = (location: string) => new Response(null, { status: 302, headers: { Location: location } });

/** One fetch by a run, over a network of these pages. */
async function fetched(
  url: string,
  pages: Record<string, () => Response | Promise<Response>>,
  wanted: { rules?: Rules; tools?: RunStart['tools'] } = {},
) {
  const asked: string[] = [];
  const fetch = async (target: string, init: RequestInit): Promise<Response> => {
    asked.push(target);
    expect(init).toMatchObject({ method: 'GET', redirect: 'manual' });
    const page = pages[target];
    if (page === undefined) throw new TypeError('no such host 10.0.0.7');
    return page();
  };
  const ports = { fetch, secret: () => Promise.reject(new Error('no')), allowsLocal: false };
  const { run, answers } = await called(
    [['WebFetch', { url }]],
    { tools: allTools('WebFetch'), rules: EXAMPLE, ...wanted },
    { tools: (start) => toolbox(start, ports) },
  );
  expect(run.status).toBe('succeeded');
  return { answer: answers[0] ?? '', asked };
}

describe('WebFetch', () => {
  test.each<[string, () => Response, string]>([
    ['a page', () => respond('<h1>Hi</h1><p>there', 'text/html; charset=utf-8'), '# Hi\n\nthere\n'],
    ['Markdown', () => respond('# Hi\n', 'text/markdown'), '# Hi\n\n'],
    [
      'what can be seen of a text',
      () => respond('a\u200b\u{e0041}\u202eb\r\nc\u001b[2J', 'text/plain'),
      'ab\nc[2J\n',
    ],
    ['JSON', () => respond('{"a":1}', 'application/problem+json'), '{"a":1}\n'],
    [
      'another encoding',
      () => respond(Uint8Array.of(0x63, 0x61, 0x66, 0xe9), 'text/plain; charset=iso-8859-1'),
      'café\n',
    ],
    ['an unknown encoding', () => respond('plain', 'text/plain; charset=klingon'), 'plain\n'],
    ['a redirect within what is allowed', () => to('https://www.example.org/b'), 'second\n'],
  ])('gets %s', async (_, page, text) => {
    const { answer } = await fetched('https://example.org/a', {
      'https://example.org/a': page,
      'https://www.example.org/b': () => respond('second', 'text/plain'),
    });
    expect(answer).toMatch(/^From https:\/\/(www\.)?example\.org\/[ab] \(200\), written by others/);
    expect(answer.endsWith(`\n\n${text}`)).toBe(true);
  });

  test.each<[string, () => Response, string]>([
    ['an image', () => respond('x', 'image/png'), '1: content_type: '],
    ['an error', () => respond('secret page', 'text/plain', 503), '1: http_status: '],
    [
      'too much',
      () => respond('x'.repeat(WEB_LIMITS.answerBytes + 1), 'text/plain'),
      '1: fetch_refused: the answer has',
    ],
    [
      'a redirect to a host that no rule allows',
      () => to('https://other.net/'),
      '1: fetch_refused: a redirect is refused: ',
    ],
    ['a redirect to http', () => to('http://example.org/b'), '1: fetch_refused: a redirect is refused: '],
    ['a redirect inwards', () => to('https://127.0.0.1/'), '1: fetch_refused: a redirect is refused: '],
    ['a redirect to metadata', () => to('https://169.254.169.254/latest'), '1: fetch_refused: a redirect'],
    ['redirects without an end', () => to('https://example.org/a'), '1: fetch_refused: there are more than'],
  ])('refuses %s', async (_, page, text) => {
    const { answer, asked } = await fetched('https://example.org/a', { 'https://example.org/a': page });
    expect(answer.slice(0, text.length)).toBe(text);
    expect(answer).not.toContain('secret page');
    expect(new Set(asked)).toEqual(new Set(['https://example.org/a']));
    expect(asked.length).toBeLessThanOrEqual(HTTP_LIMITS.redirects + 1);
  });

  test('says nothing of what the network around the deployment said', async () => {
    const { answer } = await fetched('https://example.org/a', {});
    expect(answer).toBe('1: fetch_refused: the server could not be reached\n');
  });

  test('gives up on a server that does not answer', async () => {
    const limits: { milliseconds: number } = WEB_LIMITS;
    const { milliseconds } = limits;
    Object.assign(WEB_LIMITS, { milliseconds: 50 });
    const { answer } = await fetched('https://example.org/a', {
      'https://example.org/a': () => new Promise((_, reject) => setTimeout(() => reject(new Error()), 200)),
    });
    Object.assign(WEB_LIMITS, { milliseconds });
    expect(answer).toBe('1: fetch_refused: no answer within 50 ms\n');
  });

  /** Every spelling of something that is not public, allowed by a rule for all of the tool. */
  test.each([
    'http://example.org/',
    'https://localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.0.0.1/',
    'https://0177.0.0.1/',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.0.0.1/',
    'https://10.1.2.3/',
    'https://172.16.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.100.100.200/',
    'https://168.63.129.16/',
    'https://metadata.google.internal/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://[fd00::1]/',
    'https://[fe80::1]/',
    'https://[64:ff9b::a00:1]/',
    'https://[2002:a00:1::]/',
    'https://intranet/',
    'https://user:password@example.org/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'javascript:1',
    'example.org',
    '//example.org/',
  ])('asks nothing of %s', async (url) => {
    const { answer, asked } = await fetched(url, {}, { rules: [allow('WebFetch')] });
    expect([asked, answer.startsWith('1: fetch_refused: the URL is refused: ')]).toEqual([[], true]);
  });

  test.each<[string, { rules?: Rules; tools?: RunStart['tools'] }]>([
    ['no rule allows it', { rules: [allow('WebFetch(domain:example.com)')] }],
    [
      'a rule denies it',
      { rules: [...EXAMPLE, { effect: 'deny', pattern: 'WebFetch', layer: 'organisation' }] },
    ],
    ['the skill does not declare it', { tools: { ...allTools('WebFetch'), declared: ['Bash'] } }],
    [
      'the caller does not grant it',
      { tools: { ...allTools('WebFetch'), granted: ['WebFetch(domain:a.org)'] } },
    ],
  ])('is refused where %s', async (_, wanted) => {
    const { answer, asked } = await fetched('https://example.org/a', {}, wanted);
    expect(asked).toEqual([]);
    // Refused, or a question that nobody answered.
    expect(answer).toMatch(/^126: |^No rule speaks of it\.$/);
  });

  test('goes where a person let it, and no further', async () => {
    const asked: string[] = [];
    const pages: Record<string, Response> = {
      'https://example.org/': to('https://other.net/'),
      'https://other.net/': respond('elsewhere', 'text/plain'),
    };
    const fetch = async (url: string): Promise<Response> => {
      asked.push(url);
      return pages[url] ?? respond(null, 'text/plain', 404);
    };
    useDependencies({
      model: () => oneByOne([['WebFetch', { url: 'https://example.org' }]]),
      tools: (start) => toolbox(start, { ...NO_PORTS, fetch }),
    });
    const start = startOf({ tools: allTools('WebFetch') });
    await runs.start(start);
    let run = await view(start);
    for (; run.status !== 'requires_action'; run = await view(start))
      await runDurableObjectAlarm(stubOf(start));
    expect(asked).toEqual([]);
    const [action] = run.requiredActions;
    expect(action).toMatchObject({ tool: 'WebFetch', input: 'https://example.org' });
    const id = action?.id ?? '';
    await runs.answer(addressOf(start), { kind: 'approval', id, approve: true, by: person('alice') });
    const answer = answersOf(await drain(start)).at(-1);
    expect(asked).toEqual(['https://example.org/']);
    expect(answer).toBe('1: fetch_refused: a redirect is refused: No rule speaks of it.\n');
  });
});
