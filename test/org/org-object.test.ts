import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { digestOf } from '../../src/core/digest.ts';
import { OrgSettings } from '../../src/view/org-settings.ts';
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
    expect(await stub.missing([digestOf('x')])).toEqual([digestOf('x')]);
    expect(await stub.settings()).toEqual({ revision: 0, settings: null });
    expect(await stub.hasPublished('org', digestOf('x'))).toBe(false);
    const decision = { id: 'x', approve: true, duration: 'once', by: ACTOR } as const;
    expect(await stub.decideApproval(name, decision)).toMatchObject({ ok: false });
    expect(await stub.auditPage(`o/${name}`, 0, 1)).toMatchObject({ lines: [], head: { sequence: 0 } });
    const tables = await runInDurableObject(stub, (_object, state) =>
      state.storage.sql.exec('SELECT name FROM sqlite_master').toArray(),
    );
    expect(tables).toEqual([]);
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
    await stub.recordBlobs([{ digest: digestOf('a'), size: 1 }]);
    await evictDurableObject(stub);
    expect(await stub.missing([digestOf('a'), digestOf('b')])).toEqual([digestOf('b')]);
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

  it('knows 10,000 blobs in one question', async () => {
    const { stub } = organisation();
    const digests = Array.from({ length: 10_000 }, (_, index) => digestOf(String(index)));
    await stub.recordBlobs(digests.slice(0, 9_999).map((digest) => ({ digest, size: 1 })));
    expect(await stub.missing(digests)).toEqual(digests.slice(9_999));
  });
});
