import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/core/digest.ts';
import { durableCatalogs } from '../../src/org/durable-catalogs.ts';
import { ACTOR, newOrganisation } from '../support/deployment.ts';

const leaf = (name: string, edition: string) => ({ first: name, count: 1, digest: digestOf(edition) });

/** A layer of two shards, one of which says in which edition it is. */
function move(expected: string | null, to: string) {
  return {
    layer: 'org',
    expected: expected === null ? null : digestOf(expected),
    head: {
      catalog: digestOf(to),
      index: digestOf(`${to} index`),
      entries: 2,
      shards: [leaf('a', 'a'), leaf('b', `b of ${to}`)],
      pages: [leaf('a', `page of ${to}`)],
      gates: {},
    },
    added: [],
    changes: { added: [], changed: [], removed: [] },
    by: ACTOR,
  };
}

/** What two isolates hold: each knows only the heads that went by it. */
const isolates = () => [durableCatalogs(env.ORG), durableCatalogs(env.ORG)] as const;

describe('durableCatalogs', () => {
  it('answers with whole heads, whatever was remembered of them', async () => {
    const name = newOrganisation();
    const [one, other] = isolates();
    const first = move(null, 'one');
    const second = move('one', 'two');
    expect(await one.moveHead(name, first)).toMatchObject({ ok: true, value: { head: first.head } });
    for (let time = 0; time < 2; time += 1)
      expect(await other.view('org', name)).toMatchObject({ head: { ...first.head, sequence: 1 } });
    const moved = await one.moveHead(name, second);
    expect(moved).toMatchObject({ ok: true, value: { head: { ...second.head, sequence: 2 } } });
    for (const isolate of [one, other, durableCatalogs(env.ORG)])
      expect(await isolate.view('org', name)).toEqual(moved.ok && moved.value);
    expect(await env.KV.get(`o/${name}/view/org`, 'json')).toEqual(moved.ok && moved.value);
  });

  it('moves no head from where an isolate wrongly thinks that it is', async () => {
    const name = newOrganisation();
    const [one, other] = isolates();
    await one.moveHead(name, move(null, 'one'));
    await other.moveHead(name, move('one', 'two'));
    expect(await one.moveHead(name, move('one', 'three'))).toMatchObject({
      error: { code: 'head_moved', data: { catalog: digestOf('two') } },
    });
    // Back at the catalog that it knows, with another index: it is told of the whole head instead.
    const back = move('two', 'one');
    const index = digestOf('another index');
    const pages = [leaf('a', 'a'), leaf('b', 'another page')];
    await other.moveHead(name, { ...back, head: { ...back.head, index, pages } });
    const last = move('one', 'three');
    expect(await one.moveHead(name, last)).toMatchObject({ ok: true });
    expect(await durableCatalogs(env.ORG).view('org', name)).toMatchObject({
      head: { ...last.head, sequence: 4 },
    });
  });

  it('keeps what two layers and two organisations stand at apart', async () => {
    const [name, stranger] = [newOrganisation(), newOrganisation()];
    const catalogs = durableCatalogs(env.ORG);
    await catalogs.moveHead(name, move(null, 'one'));
    await catalogs.moveHead(name, { ...move(null, 'two'), layer: 'user:x' });
    expect(await catalogs.view('org', name)).toMatchObject({ head: { catalog: digestOf('one') } });
    expect(await catalogs.view('user:x', name)).toMatchObject({ head: { catalog: digestOf('two') } });
    expect(await catalogs.view('org', stranger)).toMatchObject({ head: null });
  });
});
