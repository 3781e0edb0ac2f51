import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/view/settings/org-settings.ts';
import { skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, tokenFor } from '../support/deployment.ts';

describe('/v1/settings', () => {
  it('has defaults, and keeps what is put', async () => {
    const token = await tokenFor(newOrganisation());
    const before = await call('GET', '/v1/settings', { token });
    expect([await before.json(), before.headers.get('ETag')]).toEqual([DEFAULT_SETTINGS, '"0"']);
    const put = await call('PUT', '/v1/settings', { token, body: { listing: { fallbackCharacters: 50 } } });
    expect(await put.json()).toEqual({
      ...DEFAULT_SETTINGS,
      listing: { ...DEFAULT_SETTINGS.listing, fallbackCharacters: 50 },
    });
    const after = await call('GET', '/v1/settings', { token });
    expect([
      (await after.json<typeof DEFAULT_SETTINGS>()).listing.fallbackCharacters,
      after.headers.get('ETag'),
    ]).toEqual([50, '"1"']);
  });

  it('lose no change made in between', async () => {
    const token = await tokenFor(newOrganisation());
    const put = async (match: string) =>
      (await call('PUT', '/v1/settings', { token, body: {}, headers: { 'If-Match': match } })).status;
    expect([await put('"0"'), await put('"0"'), await put('"1"'), await put('*')]).toEqual([
      200, 412, 200, 412,
    ]);
  });

  it.each([
    [{ listing: { budgetFraction: 0 } }],
    [{ listing: { budgetFraction: 1.5 } }],
    [{ listing: { entryCharacters: 0 } }],
    [{ permissions: { allow: ['Skill('] } }],
    [{ permissions: { allow: [''] } }],
    [{ nonsense: true }],
  ])('refuse %j', async (body) => {
    expect(
      (await call('PUT', '/v1/settings', { token: await tokenFor(newOrganisation()), body })).status,
    ).toBe(400);
  });

  it('change the listing at once, and can switch bundled skills off', async () => {
    const token = await tokenFor(newOrganisation());
    await push(
      token,
      'bundled',
      treeOf({ 'one/SKILL.md': skillText('one'), 'two/SKILL.md': skillText('two') }),
    );
    const text = async () => (await call('GET', '/v1/listing?format=text', { token })).text();
    expect(await text()).toBe('- one: Does one.\n- two: Does two.');
    await call('PUT', '/v1/settings', { token, body: { bundled: { off: ['one'] } } });
    expect(await text()).toBe('- two: Does two.');
    expect((await call('GET', '/v1/skills/one', { token })).status).toBe(404);
    expect((await call('GET', '/v1/skills/bundled%2Fone', { token })).status).toBe(404);
    await call('PUT', '/v1/settings', { token, body: { bundled: { enabled: false } } });
    expect([await text(), (await call('GET', '/v1/skills/two', { token })).status]).toEqual(['', 404]);
  });
});

describe('models in the settings', () => {
  const put = async (models: object, bindings: Env = env) => {
    const token = await tokenFor(newOrganisation());
    const response = await call('PUT', '/v1/settings', { token, body: { models }, env: bindings });
    const answer = await response.json<{ code?: string; at?: string }>();
    return [response.status, answer.code, answer.at];
  };
  const local = { kind: 'openai', baseUrl: 'http://localhost:11434/v1' };

  it('have public servers, but on one’s own machine', async () => {
    const models = { providers: { ollama: local }, default: 'ollama/qwen3' };
    expect(await put(models)).toEqual([400, 'bad_request', 'models.providers.ollama.baseUrl']);
    expect(await put(models, { ...env, DEPLOYMENT: 'local' })).toEqual([200, undefined, undefined]);
  });

  it.each([
    [{ providers: { claude: { kind: 'anthropic', key: 'sk-ant-the-key-itself' } } }, 400, 'bad_request'],
    [{ providers: { claude: { kind: 'antropic' } } }, 400, 'bad_request'],
    [{ providers: {}, default: 'claude/claude-opus' }, 422, 'model_unknown'],
  ])('refuse %j', async (models, status, code) => {
    expect((await put(models)).slice(0, 2)).toEqual([status, code]);
  });
});
