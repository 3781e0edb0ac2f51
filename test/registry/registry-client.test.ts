import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { REGISTRY_LIMITS, SKILL_LIMITS } from '../../src/core/limits.ts';
import { RegistryClient } from '../../src/registry/registry-client.ts';
import { BASE, FakeRegistry, INDEX, OLDER_INDEX } from './fake-registry.ts';

let registry = new FakeRegistry();
let client = new RegistryClient('', registry.fetch);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  registry = new FakeRegistry();
  registry.serve({ one: 'One.' });
  client = new RegistryClient(`${BASE}//`, registry.fetch);
});
afterEach(() => {
  vi.useRealTimers();
});

const FILE = 'agent-skills/one/SKILL.md';
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

async function names() {
  const index = await client.index();
  return index.ok ? [...index.value.keys()] : index.error;
}

/** Reads the skill as the index of now has it. */
async function text() {
  const index = await client.index();
  const skill = index.ok ? index.value.get('one') : undefined;
  if (skill?.kind !== 'skill') throw new Error('no skill');
  const bytes = await client.skillFile(skill.url, skill.digest);
  return bytes.ok ? new TextDecoder().decode(bytes.value) : bytes.error;
}

describe('an index', () => {
  it('is remembered for minutes', async () => {
    expect([await names(), await names()]).toEqual([['one'], ['one']]);
    later(REGISTRY_LIMITS.indexMilliseconds - 1);
    await names();
    expect(registry.takeAsked()).toEqual(['agent-skills/index.json']);
    registry.serve({ one: 'One.', two: 'Two.' });
    later(1);
    expect(await names()).toEqual(['one', 'two']);
  });

  it('is looked for at the older place where there is none', async () => {
    registry.pages.delete(INDEX);
    registry.pages.set(OLDER_INDEX, JSON.stringify({ skills: [{ name: 'older' }] }));
    expect(await names()).toEqual(['older']);
    expect(registry.takeAsked()).toEqual(['agent-skills/index.json', 'skills/index.json']);
  });

  it.each<[string, () => Response, string]>([
    ['a fault', () => new Response('', { status: 500 }), 'it answered 500 for its index'],
    ['no JSON', () => new Response('<html>'), 'its index is no index of skills'],
    [
      'an index without end',
      () => new Response('x'.repeat(REGISTRY_LIMITS.indexBytes + 1)),
      `the answer has more than ${REGISTRY_LIMITS.indexBytes} bytes`,
    ],
    [
      'a redirect into the network of the deployment',
      () => new Response('', { status: 302, headers: { Location: 'https://169.254.169.254/' } }),
      'a redirect is refused: its host is private',
    ],
    [
      'no answer',
      () => {
        throw new TypeError('connect ECONNREFUSED 10.1.2.3');
      },
      'the server could not be reached',
    ],
  ])('that is %s is an error, and asked for again seconds later', async (_, answer, detail) => {
    registry.pages.set(INDEX, answer);
    const error = { code: 'skill_remote_unavailable', errorCode: 6, detail: `the registry: ${detail}` };
    expect([await names(), await names()]).toMatchObject([error, error]);
    expect(registry.asked).toHaveLength(1);
    registry.serve({ one: 'One.' });
    later(REGISTRY_LIMITS.failureMilliseconds);
    expect(await names()).toEqual(['one']);
  });

  it.each([
    'http://registry.example',
    'https://localhost',
    'https://10.0.0.1',
    'https://me:pw@a.example',
    'x',
  ])('is not asked for at %s', async (base) => {
    client = new RegistryClient(base, registry.fetch);
    expect(await names()).toMatchObject({ code: 'skill_remote_unavailable' });
    expect(registry.asked).toEqual([]);
  });
});

describe('a skill', () => {
  it('is its very bytes', async () => {
    registry.serve({ one: '\ufeffOne.\r\n' });
    const index = await client.index();
    const skill = index.ok ? index.value.get('one') : undefined;
    const bytes = skill?.kind === 'skill' ? await client.skillFile(skill.url, skill.digest) : null;
    expect(bytes?.ok && digestOf(bytes.value)).toBe(digestOf('\ufeffOne.\r\n'));
  });

  it('of other bytes than its index says is refused, and the index read anew', async () => {
    await names();
    registry.serve({ one: 'Changed.' });
    expect(await text()).toMatchObject({
      code: 'skill_remote_mismatch',
      errorCode: 6,
      data: { expected: digestOf('One.'), actual: digestOf('Changed.') },
    });
    expect(await text()).toBe('Changed.');
  });

  it('that stays wrong is not asked for again for seconds', async () => {
    registry.pages.set(`${BASE}/.well-known/${FILE}`, 'Other.');
    for (let call = 0; call < 5; call += 1) await text();
    expect(registry.takeAsked()).toEqual(['agent-skills/index.json', FILE, 'agent-skills/index.json']);
    later(REGISTRY_LIMITS.failureMilliseconds);
    await text();
    expect(registry.takeAsked()).toEqual([FILE]);
  });

  it.each<[string, string | (() => Response), string]>([
    ['that is not there', () => new Response('', { status: 404 }), 'it answered 404 for the skill'],
    [
      'without end',
      'x'.repeat(SKILL_LIMITS.skillFileBytes + 1),
      `the answer has more than ${SKILL_LIMITS.skillFileBytes} bytes`,
    ],
  ])('%s is an error', async (_, page, detail) => {
    registry.pages.set(`${BASE}/.well-known/${FILE}`, page);
    expect(await text()).toMatchObject({
      code: 'skill_remote_unavailable',
      detail: `the registry: ${detail}`,
    });
  });

  it.each([
    'http://registry.example/x',
    'https://127.0.0.1/x',
    'file:///etc/passwd',
    'https://metadata.internal/',
  ])('is not fetched from %s', async (url) => {
    registry.serve({}, [{ name: 'one', type: 'skill-md', url, digest: digestOf('One.') }]);
    expect(await text()).toMatchObject({ code: 'skill_remote_unavailable' });
    expect(registry.takeAsked()).toEqual(['agent-skills/index.json']);
  });
});
