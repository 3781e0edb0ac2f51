import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { ORG_LIMITS, USAGE_LIMITS } from '../../src/core/limits.ts';
import { countUses } from '../../src/org/usage-table.ts';
import { OrgSettings } from '../../src/view/settings/org-settings.ts';
import { ViewRecord } from '../../src/view/view-record.ts';
import { ACTOR, newOrganisation } from '../support/deployment.ts';

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;
const NOON = Date.UTC(2030, 0, 1, 12);
const MOVE = {
  layer: 'org',
  expected: null,
  head: { catalog: digestOf('one'), index: digestOf('index'), entries: 0, shards: [] },
  added: [],
  changes: { added: [], changed: [], removed: [] },
  by: ACTOR,
};

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const setClock = (now: number) => vi.useFakeTimers({ now, toFake: ['Date'] });

function organisation() {
  const name = newOrganisation();
  const stub = env.ORG.getByName(`o/${name}`);
  return {
    name,
    stub,
    use: (at: number, ...skills: string[]) =>
      stub.recordUses(
        name,
        skills.map((skill) => ({ layer: 'org', name: skill, at })),
      ),
    counts: async () =>
      (await stub.mostUsed(['org'], null, 100)).map(({ name: skill, count, usedAt }) => [
        skill,
        count,
        usedAt,
      ]),
    alarm: () => runInDurableObject(stub, (_object, state) => state.storage.getAlarm()),
    /** What the object has for another service, from now on. */
    replace: (binding: keyof Env, value: unknown) =>
      runInDurableObject(stub, (object) => {
        Reflect.set(object, 'env', { ...Reflect.get(object, 'env'), [binding]: value });
      }),
    copy: async () => ViewRecord.parse(JSON.parse((await env.KV.get(`o/${name}/view/org`)) ?? 'null')),
  };
}

describe('counts of uses', () => {
  it('count what is at least a minute after the last that counted', async () => {
    const { use, counts } = organisation();
    setClock(NOON + DAY);
    await use(NOON, 'a');
    await use(NOON + 59_999, 'a', 'b');
    expect(await counts()).toEqual([
      ['a', 1, NOON],
      ['b', 1, NOON + 59_999],
    ]);
    await use(NOON + 60_000, 'a');
    expect(await counts()).toEqual([
      ['a', 2, NOON + 60_000],
      ['b', 1, NOON + 59_999],
    ]);
  });

  it('are the same when uses are told twice, or late', async () => {
    const { use, counts } = organisation();
    setClock(NOON + DAY);
    for (const at of [NOON, NOON + 100 * SECOND, NOON, NOON + 100 * SECOND, NOON - DAY]) await use(at, 'a');
    expect(await counts()).toEqual([['a', 2, NOON + 100 * SECOND]]);
  });

  it('have no use of the future', async () => {
    const { use, counts } = organisation();
    setClock(NOON);
    await use(NOON + DAY, 'a');
    expect(await counts()).toEqual([['a', 1, NOON]]);
  });

  it('are of so many skills, those used last', async () => {
    const { stub, use } = organisation();
    setClock(NOON);
    await use(NOON - DAY, 'oldest');
    await use(NOON - 1_000, 'older');
    const many = Array.from({ length: USAGE_LIMITS.skills - 1 }, (_, at) => {
      return { layer: 'org', name: `skill-${at}`, at: NOON - 1 };
    });
    await runInDurableObject(stub, (_object, state) => countUses(state.storage.sql, many, NOON));
    const names = async () =>
      runInDurableObject(stub, (_object, state) =>
        state.storage.sql
          .exec<{ name: string }>('SELECT name FROM usage')
          .toArray()
          .map(({ name }) => name),
      );
    expect(await names()).toHaveLength(USAGE_LIMITS.skills);
    expect(await names()).not.toContain('oldest');
    await use(NOON, 'newest');
    const kept = await names();
    expect([kept.length, kept.includes('older'), kept.includes('newest')]).toEqual([
      USAGE_LIMITS.skills,
      false,
      true,
    ]);
  });

  it('are read page by page, of the layers that are asked for', async () => {
    const { stub, name } = organisation();
    setClock(NOON);
    const of = (layer: string, skill: string) => ({ layer, name: skill, at: NOON - 60 * SECOND });
    await stub.recordUses(name, [of('org', 'a'), of('org', 'b'), of('user:x', 'a'), of('user:y', 'secret')]);
    await stub.recordUses(name, [{ ...of('org', 'b'), at: NOON }]);
    const rows = [];
    let after: { layer: string; name: string; count: number } | null = null;
    for (let pages = 0; pages < 5; pages += 1) {
      const [row] = await stub.mostUsed(['org', 'user:x'], after, 1);
      if (!row) break;
      rows.push(`${row.count} ${row.layer} ${row.name}`);
      after = { layer: row.layer, name: row.name, count: row.count };
    }
    expect(rows).toEqual(['2 org b', '1 org a', '1 user:x a']);
  });

  it('store nothing when they are only asked for', async () => {
    const { stub, counts } = organisation();
    expect(await counts()).toEqual([]);
    expect(
      await runInDurableObject(stub, (_object, state) =>
        state.storage.sql.exec('SELECT name FROM sqlite_master').toArray(),
      ),
    ).toEqual([]);
  });

  it('come to an organisation that was there before there were any', async () => {
    const { stub, use, counts, name } = organisation();
    await stub.putSettings(name, OrgSettings.parse({}), null, ACTOR);
    await runInDurableObject(stub, (_object, state) => {
      for (const table of ['usage', 'usage_snapshot']) state.storage.sql.exec(`DROP TABLE ${table}`);
    });
    await evictDurableObject(stub);
    expect([await counts(), (await stub.view('org')).usage]).toEqual([[], undefined]);
    setClock(NOON);
    await use(NOON, 'a');
    expect(await counts()).toEqual([['a', 1, NOON]]);
  });
});

describe('the snapshot', () => {
  it('is there with the first use, and again a day later', async () => {
    const { use, copy, stub } = organisation();
    const at = async () => (await copy()).usage?.at;
    setClock(NOON);
    await use(NOON, 'a');
    expect((await copy()).usage).toEqual({
      at: new Date(NOON).toISOString(),
      scores: [{ layer: 'org', name: 'a', score: 1_000 }],
    });
    await evictDurableObject(stub);
    setClock(NOON + DAY - 1);
    await use(NOON + DAY - 1, 'b', 'a');
    expect(await at()).toBe(new Date(NOON).toISOString());
    await evictDurableObject(stub);
    setClock(NOON + DAY);
    await use(NOON + DAY, 'c');
    await evictDurableObject(stub);
    expect((await copy()).usage).toEqual({
      at: new Date(NOON + DAY).toISOString(),
      scores: [
        { layer: 'org', name: 'a', score: 2_000 },
        { layer: 'org', name: 'b', score: 1_000 },
        { layer: 'org', name: 'c', score: 1_000 },
      ],
    });
    expect(await stub.view('org')).toEqual(await copy());
    expect((await stub.view('user:x')).usage).toBeUndefined();
  });

  it('is made by alarms as long as scores fall, and then no more until there are new uses', async () => {
    const { use, copy, stub, alarm } = organisation();
    setClock(NOON);
    await use(NOON, 'a');
    const made: number[] = [];
    for (let alarms = 0; alarms < 60; alarms += 1) {
      await evictDurableObject(stub);
      if (!(await runDurableObjectAlarm(stub))) break;
      const next = await alarm();
      if (next === null) break;
      // Never at once: that would be for ever.
      expect(next).toBeGreaterThan(Date.now());
      setClock(next);
      made.push(next);
    }
    expect(made).toEqual(Array.from({ length: 24 }, (_, day) => NOON + (day + 1) * DAY));
    expect((await copy()).usage).toEqual({
      at: new Date(NOON + 24 * DAY).toISOString(),
      scores: [{ layer: 'org', name: 'a', score: 100 }],
    });
    setClock(NOON + 90 * DAY);
    await use(NOON + 90 * DAY, 'a');
    expect((await copy()).usage?.scores[0]?.score).toBe(2_000);
  });

  it('stays where heads and settings change', async () => {
    const { use, copy, stub, name } = organisation();
    setClock(NOON);
    await use(NOON, 'a');
    const { usage } = await copy();
    await stub.moveHead(name, MOVE);
    await stub.putSettings(name, OrgSettings.parse({ flags: ['x'] }), null, ACTOR);
    expect(await copy()).toMatchObject({ head: { sequence: 1 }, settings: { flags: ['x'] }, usage });
  });
});

describe('one alarm for copies, search indexes and snapshots', () => {
  const failing = {
    getByName: () => {
      throw new Error('not now');
    },
  };
  const working = { getByName: () => ({ follow: async () => undefined }) };
  const retry = ORG_LIMITS.retryMilliseconds;

  it('lets none of them wait for another', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { use, copy, stub, alarm, replace, name } = organisation();
    setClock(NOON);
    await use(NOON, 'a');
    await runDurableObjectAlarm(stub);
    expect(await alarm()).toBe(NOON + DAY);

    await replace('SEARCH', failing);
    await stub.moveHead(name, MOVE);
    expect(await alarm()).toBe(NOON);
    await use(NOON, 'b');
    expect(await alarm()).toBe(NOON);
    await runDurableObjectAlarm(stub);
    expect(await alarm()).toBe(NOON + retry);
    await use(NOON, 'c');
    expect(await alarm()).toBe(NOON + retry);

    setClock(NOON + DAY);
    await runDurableObjectAlarm(stub);
    expect(await alarm()).toBe(NOON + DAY + retry);
    expect((await copy()).usage?.scores.map((row) => row.name)).toEqual(['a', 'b', 'c']);

    await replace('SEARCH', working);
    await runDurableObjectAlarm(stub);
    expect(await alarm()).toBe(NOON + 2 * DAY);
  });

  it('does not give up where KV fails', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const { use, copy, stub, alarm, replace } = organisation();
    setClock(NOON);
    await replace('KV', {
      put: async () => {
        throw new Error('not now');
      },
    });
    await use(NOON, 'a');
    for (let tries = 1; tries <= 10; tries += 1) {
      setClock(NOON + tries * retry);
      await runDurableObjectAlarm(stub);
      expect(await alarm()).toBe(NOON + (tries + 1) * retry);
    }
    await replace('KV', env.KV);
    await runDurableObjectAlarm(stub);
    expect((await copy()).usage?.scores).toHaveLength(1);
    expect(await alarm()).toBe(NOON + DAY);
  });
});
