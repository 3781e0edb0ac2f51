import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { digestOf } from '../../src/core/digest.ts';
import { OrgSettings } from '../../src/view/settings/org-settings.ts';
import { entry } from '../catalog/entries.ts';
import { ACTOR, newOrganisation } from '../support/deployment.ts';

function organisation() {
  const name = newOrganisation();
  return { name, stub: env.ORG.getByName(`o/${name}`) };
}

function move(expected: string | null, to: string, added: CatalogEntry[] = []) {
  const head = { catalog: digestOf(to), index: digestOf(`${to} index`), entries: added.length, shards: [] };
  const changes = { added: added.map(({ name }) => name), changed: [], removed: [] };
  return {
    layer: 'org',
    expected: expected === null ? null : digestOf(expected),
    head,
    added,
    changes,
    by: ACTOR,
  };
}

describe('OrgObject', () => {
  it('stores nothing when it is only asked', async () => {
    const { stub, name } = organisation();
    expect(await stub.view('org')).toEqual({ version: 1, layer: 'org', head: null, settings: null });
    expect(await stub.missing('org', [digestOf('x')])).toEqual([digestOf('x')]);
    expect(await stub.settings()).toEqual({ revision: 0, settings: null });
    expect(await stub.hasPublished('org', digestOf('x'))).toBe(false);
    const decision = { id: 'x', approve: true, duration: 'once', by: ACTOR, boundTo: null } as const;
    expect(await stub.decideApproval(name, decision)).toMatchObject({ ok: false });
    expect(await stub.auditPage(`o/${name}`, 0, 1)).toMatchObject({ lines: [], head: { sequence: 0 } });
    expect(await stub.policy('org')).toEqual({ revision: 0, rules: [] });
    expect(await stub.approvals({ status: null, boundTo: null, after: null, limit: 1 })).toEqual([]);
    expect(await stub.publishedBefore({ layer: 'org', skill: 'x' }, 'y')).toBeNull();
    const tables = await runInDurableObject(stub, (_object, state) =>
      state.storage.sql.exec('SELECT name FROM sqlite_master').toArray(),
    );
    expect(tables).toEqual([]);
  });

  it('gets the columns that it has not had from the beginning', async () => {
    const { stub, name } = organisation();
    await runInDurableObject(stub, (_object, { storage: { sql } }) => {
      sql.exec('CREATE TABLE outbox (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
      sql.exec(`CREATE TABLE approvals (
        id TEXT PRIMARY KEY, status TEXT NOT NULL, subject TEXT NOT NULL, duration TEXT, session TEXT,
        decided_by TEXT, decided_at INTEGER, expires_at INTEGER NOT NULL) WITHOUT ROWID`);
      const subject = JSON.stringify({ skill: 'x', layer: 'org', revision: 'r', reason: 'why' });
      const values = ['apr_1', 'pending', subject, 1e15] as const;
      sql.exec('INSERT INTO approvals (id, status, subject, expires_at) VALUES (?, ?, ?, ?)', ...values);
    });
    await evictDurableObject(stub);
    const decision = { id: 'apr_1', approve: true, duration: 'once' as const, by: ACTOR, boundTo: null };
    expect(await stub.decideApproval(name, decision)).toMatchObject({
      ok: true,
      value: { status: 'approved', permissions: null, upgrade: null },
    });
  });

  it('moves a head by comparison only, one layer apart from another', async () => {
    const { stub, name } = organisation();
    expect(await stub.moveHead(name, move(null, 'one'))).toMatchObject({
      ok: true,
      value: { head: { sequence: 1 } },
    });
    expect(await stub.moveHead(name, move(null, 'two'))).toMatchObject({
      error: { code: 'head_moved', data: { catalog: digestOf('one') } },
    });
    expect(await stub.moveHead(name, move('one', 'two'))).toMatchObject({
      ok: true,
      value: { head: { sequence: 2 } },
    });
    expect(await stub.moveHead(name, { ...move(null, 'three'), layer: 'user:x' })).toMatchObject({
      ok: true,
      value: { head: { sequence: 1 } },
    });
    expect(await stub.hasPublished('org', digestOf('one'))).toBe(true);
    expect(await stub.hasPublished('user:x', digestOf('one'))).toBe(false);
  });

  it('survives an eviction between any two calls', async () => {
    const { stub, name } = organisation();
    await stub.recordBlobs('org', [{ digest: digestOf('a'), size: 1 }]);
    await evictDurableObject(stub);
    expect(await stub.missing('org', [digestOf('a'), digestOf('b')])).toEqual([digestOf('b')]);
    await stub.moveHead(name, move(null, 'one'));
    await evictDurableObject(stub);
    expect(await stub.moveHead(name, move('one', 'two'))).toMatchObject({ ok: true });
    await stub.putSettings(name, OrgSettings.parse({ listing: { fallbackCharacters: 7 } }), 0, ACTOR);
    await evictDurableObject(stub);
    expect(await stub.view('org')).toMatchObject({
      head: { catalog: digestOf('two') },
      settings: { listing: { fallbackCharacters: 7 } },
    });
  });

  it('copies the view at once, and thousands of revisions by alarms', async () => {
    const { stub, name } = organisation();
    const added = Array.from({ length: 900 }, (_, index) => entry(`skill-${index}`));
    await stub.moveHead(name, move(null, 'one', added));
    expect(JSON.parse((await env.KV.get(`o/${name}/view/org`)) ?? 'null')).toMatchObject({
      head: { catalog: digestOf('one') },
    });
    let alarms = 0;
    while (await runDurableObjectAlarm(stub)) {
      alarms += 1;
      await evictDurableObject(stub);
    }
    // 400 a time; the first alarm may already have run by itself.
    expect(alarms).toBeGreaterThanOrEqual(2);
    for (const { revision, name: skill } of [added[0], added[899]].filter((value) => value !== undefined)) {
      const stored = await env.KV.get(`o/${name}/r/org/${revision.slice(7)}`);
      expect(JSON.parse(stored ?? 'null')).toMatchObject({ name: skill });
    }
  });

  it('leaves the newest view in KV, however many change at once', async () => {
    const { stub, name } = organisation();
    const changes = Array.from({ length: 20 }, (_, index) =>
      stub.putSettings(name, OrgSettings.parse({ listing: { fallbackCharacters: index } }), null, ACTOR),
    );
    await Promise.all(changes);
    while (await runDurableObjectAlarm(stub)) continue;
    const copy = JSON.parse((await env.KV.get(`o/${name}/view/org`)) ?? 'null');
    expect(copy).toEqual(await stub.view('org'));
    expect((await stub.settings()).revision).toBe(20);
  });

  it('tells blobs apart by layer, and those from before that are of each layer that was there', async () => {
    const { stub, name } = organisation();
    await stub.moveHead(name, move(null, 'one'));
    await stub.recordBlobs('org', [{ digest: digestOf('a'), size: 1 }]);
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec('CREATE TABLE blobs (digest TEXT PRIMARY KEY, size INTEGER NOT NULL) WITHOUT ROWID');
      storage.sql.exec('INSERT INTO blobs VALUES (?, 1)', digestOf('old'));
    });
    await evictDurableObject(stub);
    const digests = [digestOf('a'), digestOf('old')];
    expect(await stub.missing('org', digests)).toEqual([]);
    expect(await stub.missing('user:x', digests)).toEqual(digests);
  });

  it('knows 10,000 blobs in one question', async () => {
    const { stub } = organisation();
    const digests = Array.from({ length: 10_000 }, (_, index) => digestOf(String(index)));
    await stub.recordBlobs(
      'org',
      digests.slice(0, 9_999).map((digest) => ({ digest, size: 1 })),
    );
    expect(await stub.missing('org', digests)).toEqual(digests.slice(9_999));
  });
});
