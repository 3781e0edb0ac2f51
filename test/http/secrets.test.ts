import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { SECRET_LIMITS } from '../../src/core/limits.ts';
import { durableSecrets } from '../../src/org/durable-secrets.ts';
import { deploymentSecret } from '../../src/secret/deployment-secret.ts';
import { call, newOrganisation, tokenFor } from '../support/deployment.ts';

const VALUE = 'sk-ant-very-secret-0123456789';
const reader = durableSecrets(env.ORG, deploymentSecret(env, 'SECRETS_KEY'));

async function stored(organisation: string): Promise<string> {
  return runInDurableObject(env.ORG.getByName(`o/${organisation}`), (_object, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray();
    const own = tables.filter(({ name }) => !/^(?:_cf_|sqlite_)/.test(name));
    const rows = own.flatMap(({ name }) => storage.sql.exec(`SELECT * FROM ${name}`).toArray());
    const text = (value: unknown) =>
      value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : String(value);
    return rows.map((row) => Object.values(row).map(text).join(' ')).join('\n');
  });
}

describe('secrets', () => {
  it('are written, named, replaced and removed, and never shown', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation, { label: 'admin' });
    const put = (value: string) =>
      call('PUT', '/v1/secrets/ANTHROPIC', {
        token,
        body: { value, origins: ['https://api.anthropic.com'] },
      });
    const first = await put('older');
    expect(first.status).toBe(200);
    const told = [await first.text(), await (await put(VALUE)).text()];
    const listed = await call('GET', '/v1/secrets', { token });
    expect(await listed.clone().json()).toEqual({
      secrets: [
        {
          name: 'ANTHROPIC',
          origins: ['https://api.anthropic.com'],
          updatedBy: 'admin',
          updatedAt: expect.any(String),
        },
      ],
    });
    const shown = [...told, await listed.text(), await (await call('GET', '/v1/settings', { token })).text()];
    expect(shown.join()).not.toContain(VALUE);
    expect(await stored(organisation)).toContain('ANTHROPIC');
    expect(await stored(organisation)).not.toContain('very-secret');
    expect(await reader.read(organisation, 'ANTHROPIC', 'https://api.anthropic.com')).toEqual({
      ok: true,
      value: VALUE,
    });
    expect((await call('DELETE', '/v1/secrets/ANTHROPIC', { token })).status).toBe(204);
    expect((await call('DELETE', '/v1/secrets/ANTHROPIC', { token })).status).toBe(404);
    expect(await (await call('GET', '/v1/secrets', { token })).json()).toEqual({ secrets: [] });
  });

  it('are of their organisation, and only for their origins', async () => {
    const [one, other] = [newOrganisation(), newOrganisation()];
    const body = { value: VALUE, origins: ['https://api.example.com'] };
    await call('PUT', '/v1/secrets/KEY', { token: await tokenFor(one), body });
    expect(await (await call('GET', '/v1/secrets', { token: await tokenFor(other) })).json()).toEqual({
      secrets: [],
    });
    expect(await reader.read(other, 'KEY', 'https://api.example.com')).toEqual({
      ok: false,
      error: 'there is no secret KEY',
    });
    expect(await reader.read(one, 'KEY', 'https://evil.example')).toEqual({
      ok: false,
      error: 'the secret KEY is not for https://evil.example',
    });
  });

  it('do not open where the row was moved to another name', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    await call('PUT', '/v1/secrets/KEY', { token, body: { value: VALUE } });
    await runInDurableObject(env.ORG.getByName(`o/${organisation}`), (_object, { storage }) => {
      storage.sql.exec("UPDATE secrets SET name = 'OTHER'");
    });
    expect(await reader.read(organisation, 'OTHER', 'https://a.example')).toMatchObject({ ok: false });
  });

  it.each([
    ['/v1/secrets/1KEY', { value: 'x' }],
    ['/v1/secrets/A%2FB', { value: 'x' }],
    ['/v1/secrets/KEY', {}],
    ['/v1/secrets/KEY', { value: '' }],
    ['/v1/secrets/KEY', { value: `${VALUE}\r\nx-forged: 1` }],
    ['/v1/secrets/KEY', { value: 'ключ' }],
    ['/v1/secrets/KEY', { value: 'x'.repeat(SECRET_LIMITS.valueCharacters + 1) }],
    ['/v1/secrets/KEY', { value: VALUE, origins: ['https://api.example.com/path'] }],
    ['/v1/secrets/KEY', { value: VALUE, origins: ['file:///'] }],
    ['/v1/secrets/KEY', { value: VALUE, origins: [] }],
  ])('refuse %s with %j, and say nothing of the value', async (path, body) => {
    const response = await call('PUT', path, { token: await tokenFor(newOrganisation()), body });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('very-secret');
  });

  it('are not kept by a deployment that has nothing to encrypt with', async () => {
    const token = await tokenFor(newOrganisation());
    const bare = { ...env, SECRETS_KEY: '' };
    const response = await call('PUT', '/v1/secrets/KEY', { token, body: { value: VALUE }, env: bare });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([
      503,
      'secrets_unavailable',
    ]);
    expect(await (await call('GET', '/v1/secrets', { token, env: bare })).json()).toEqual({ secrets: [] });
  });

  it('are no more than an organisation may have', async () => {
    const token = await tokenFor(newOrganisation());
    for (let index = 0; index < SECRET_LIMITS.secrets; index += 1)
      await call('PUT', `/v1/secrets/K${index}`, { token, body: { value: 'x' } });
    expect((await call('PUT', '/v1/secrets/K0', { token, body: { value: 'y' } })).status).toBe(200);
    const response = await call('PUT', '/v1/secrets/MORE', { token, body: { value: 'x' } });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([409, 'secret_limit']);
  });
});
