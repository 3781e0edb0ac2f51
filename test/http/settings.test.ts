import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src/view/org-settings.ts';
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
