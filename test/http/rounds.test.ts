import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { skillText, treeOf } from '../compile/trees.ts';
import { countingEnv } from '../support/counting-env.ts';
import { call, coldApp, newOrganisation, push, settle, tokenFor } from '../support/deployment.ts';

/**
 * Sequential storage waits of every reading route, cold and warm: what carries over from a laptop to production. A round is
 * any number of reads that wait for each other's beginning only.
 */
const ROUTES: readonly {
  name: string;
  method: string;
  path: string;
  body?: unknown;
  cold: number;
  warm: number;
}[] = [
  {
    name: 'listing',
    method: 'GET',
    path: '/v1/listing?context_window=200000&scope=user:alice',
    cold: 2,
    warm: 0,
  },
  { name: 'skills', method: 'GET', path: '/v1/skills?scope=user:alice', cold: 2, warm: 0 },
  { name: 'skill', method: 'GET', path: '/v1/skills/x', cold: 3, warm: 0 },
  { name: 'body', method: 'GET', path: '/v1/skills/x/body?scope=user:alice', cold: 3, warm: 0 },
  {
    name: 'body of a user layer',
    method: 'GET',
    path: '/v1/skills/mine/body?scope=user:alice',
    cold: 3,
    warm: 0,
  },
  { name: 'unknown skill', method: 'GET', path: '/v1/skills/zzz/body', cold: 2, warm: 0 },
  { name: 'SKILL.md as a file', method: 'GET', path: '/v1/skills/x/files/SKILL.md', cold: 4, warm: 0 },
  { name: 'file', method: 'GET', path: '/v1/skills/x/files/a.txt', cold: 4, warm: 0 },
  { name: 'decision', method: 'POST', path: '/v1/decisions', body: { skill: 'x' }, cold: 3, warm: 0 },
  {
    name: 'decision about an unknown name, with the nearest ones',
    method: 'POST',
    path: '/v1/decisions',
    body: { skill: 'xy' },
    cold: 3,
    warm: 0,
  },
  {
    name: 'tool decision',
    method: 'POST',
    path: '/v1/decisions',
    body: { tool: 'Bash', input: 'ls' },
    cold: 1,
    warm: 0,
  },
  {
    name: 'simulation of a view',
    method: 'POST',
    path: '/v1/decisions/simulate?scope=user:alice',
    body: { rules: { add: [{ effect: 'deny', pattern: 'Skill' }] } },
    cold: 3,
    warm: 0,
  },
  { name: 'rules of a view', method: 'GET', path: '/v1/policy?scope=user:alice', cold: 1, warm: 0 },
  {
    name: 'mentions',
    method: 'POST',
    path: '/v1/mentions?scope=user:alice',
    body: { text: '$x $mine $zzz' },
    cold: 2,
    warm: 0,
  },
  {
    name: 'detection in a message',
    method: 'POST',
    path: '/v1/detect?scope=user:alice',
    body: { message: 'do x' },
    cold: 2,
    warm: 0,
  },
  {
    name: 'detection in a command',
    method: 'POST',
    path: '/v1/detect?scope=user:alice',
    body: { command: 'cat skill://x skill://mine skill://zzz' },
    cold: 2,
    warm: 0,
  },
  { name: 'inline invocation', method: 'POST', path: '/v1/invoke', body: { skill: 'x' }, cold: 3, warm: 0 },
];

describe('storage rounds', () => {
  it.each(ROUTES)(
    '$name: $cold cold, $warm warm, and no Durable Object',
    async ({ method, path, body, cold, warm }) => {
      const organisation = newOrganisation();
      const token = await tokenFor(organisation);
      // Bytes of its own for every case, so that nothing is known from another.
      await push(
        token,
        'org',
        treeOf({ 'x/SKILL.md': skillText('x', '', `For ${organisation}.\n`), 'x/a.txt': organisation }),
      );
      await push(
        token,
        'user:alice',
        treeOf({ 'mine/SKILL.md': skillText('mine', '', `For ${organisation}.\n`) }),
      );
      const app = await coldApp(organisation);
      const counted = countingEnv(env);
      // What goes on behind the answer, such as uses that are told, holds nobody up.
      let waits: number[] = [];
      const answered = () => (waits = [counted.rounds(), counted.objects()]);
      const first = await call(method, path, { token, body, env: counted.env, app, answered });
      expect([first.status < 500, ...waits]).toEqual([true, cold, 0]);
      counted.reset();
      await call(method, path, { token, body, env: counted.env, app, answered });
      expect(waits).toEqual([warm, 0]);
      await settle(organisation);
    },
  );

  it('a skill from anybody takes no more rounds, though its name is compared with all others', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    await push(token, 'org', treeOf({ 'x/SKILL.md': skillText('x', '', organisation) }));
    await push(token, 'plugin:p', treeOf({ 'y/SKILL.md': skillText('y', '', organisation) }));
    const app = await coldApp(organisation);
    const counted = countingEnv(env);
    const path = '/v1/skills/y/body?scope=plugin:p';
    const first = await call('GET', path, { token, env: counted.env, app });
    expect([first.status, counted.rounds()]).toEqual([200, 3]);
    counted.reset();
    await call('GET', path, { token, env: counted.env, app });
    expect(counted.rounds()).toBe(0);
  });

  it('a request without a valid token reads at most one round, and one that is no token none', async () => {
    const counted = countingEnv(env);
    await call('GET', '/v1/listing', { token: 'x', env: counted.env });
    expect(counted.rounds()).toBe(0);
    const token = await tokenFor(newOrganisation());
    await call('GET', '/v1/listing', { token: token.replace(/.{4}$/, 'AAAA'), env: counted.env });
    expect(counted.rounds()).toBe(1);
  });

  it('a listing of more layers takes no more rounds', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    const layers = ['user:a', 'project:b', 'plugin:c', 'mcp:d'];
    for (const layer of layers)
      await push(token, layer, treeOf({ 'x/SKILL.md': skillText('x', '', `${layer} ${organisation}\n`) }));
    const counted = countingEnv(env);
    await call('GET', `/v1/listing?scope=${layers.join(',')}`, {
      token,
      env: counted.env,
      app: await coldApp(organisation),
    });
    expect([counted.rounds(), counted.reads()]).toEqual([2, 2]);
  });

  it('search waits for the view alone, then asks one object a layer', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    await push(token, 'org', treeOf({ 'a/SKILL.md': skillText('a', '', `${organisation}\n`) }));
    await push(token, 'user:alice', treeOf({ 'mine/SKILL.md': skillText('mine', '', `${organisation}\n`) }));
    const path = '/v1/skills/search?q=does&scope=user:alice,user:bob';
    const app = await coldApp(organisation);
    const counted = countingEnv(env);
    const first = await call('GET', path, { token, env: counted.env, app });
    // The view, and the shard of the layer before that could have a hit's name.
    expect([first.status, counted.rounds(), counted.objects()]).toEqual([200, 2, 2]);
    counted.reset();
    await call('GET', path, { token, env: counted.env, app });
    expect([counted.rounds(), counted.objects()]).toEqual([0, 2]);
  });

  it('reading what does not exist stores nothing', async () => {
    const organisation = newOrganisation();
    const token = await tokenFor(organisation);
    const counted = countingEnv(env);
    for (const path of [
      '/v1/listing',
      '/v1/skills/x',
      '/v1/skills/x/files/y',
      '/v1/skills/search?q=x&scope=user:alice',
      '/v1/runs',
      '/v1/runs/run_nope',
      '/v1/runs/run_nope/events',
      '/v1/runs/run_nope/files',
      '/v1/runs/run_nope/files/a',
      '/v1/settings',
      '/v1/secrets',
      '/v1/usage',
      '/v1/quarantine',
      '/v1/quarantine/qua_nope',
      '/v1/audit',
      '/v1/audit?format=jsonl',
    ]) {
      await call('GET', path, { token, env: counted.env });
    }
    expect(counted.writes()).toBe(0);
    expect((await env.KV.list({ prefix: `o/${organisation}/` })).keys).toEqual([]);
  });
});
