import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { digestOf } from '../../src/core/digest.ts';
import { blobWriter } from '../../src/store/blob-writer.ts';
import { CollectedBlobs, treeOf } from '../compile/trees.ts';
import { newOrganisation } from '../support/deployment.ts';

/** Hundreds of skills are compiled, stored and indexed. */
const SLOW = { timeout: 60_000 };

let organisation = '';
let stub = env.SEARCH.getByName('none');
beforeEach(() => {
  organisation = newOrganisation();
  stub = env.SEARCH.getByName(`o/${organisation}/org`);
});

/** Stores a catalog of these skills, as a push does. */
async function store(skills: Record<string, string>) {
  const sink = new CollectedBlobs();
  const files = Object.entries(skills).map(([name, description]) => [
    `${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\n# About ${name}\n`,
  ]);
  const { catalog } = await compileLayer('org', treeOf(Object.fromEntries(files)), sink);
  await blobWriter(env).write(
    `o/${organisation}`,
    [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob })),
  );
  return catalog;
}

async function settle(): Promise<number> {
  let alarms = 0;
  while (await runDurableObjectAlarm(stub)) alarms += 1;
  return alarms;
}

const follow = (catalog: Awaited<ReturnType<typeof store>>, sequence: number) =>
  stub.follow({ layer: 'org', space: `o/${organisation}`, catalog, sequence });
const find = async (text: string, hidden: string[] = []) =>
  (await stub.search({ text, limit: 50, hidden })).hits.map(({ name }) => name);
const many = (count: number, word: (index: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`skill-${index}`, word(index)]));

describe('SearchObject', () => {
  it('tells words by field: the name before a trigger or tag, that before a description, headings last', async () => {
    await follow(
      await store({
        kafka: 'Streams.',
        other: 'About kafka.',
        third: 'Nothing.',
        ...many(20, () => 'filler text'),
      }),
      1,
    );
    await settle();
    expect(await find('kafka')).toEqual(['kafka', 'other']);
    expect(await find('about third')).toContain('third');
  });

  it('knows beginnings and misspellings of words that it has not', async () => {
    await follow(await store({ one: 'Runs kubernetes clusters.', two: 'Bakes bread.' }), 1);
    await settle();
    for (const text of ['kubern', 'kuberntes', 'kubernetse', 'cubernetes'])
      expect([text, await find(text)]).toEqual([text, ['one']]);
    expect(await find('zzzz')).toEqual([]);
  });

  it('does not match what a skill is not for', async () => {
    await follow(await store({ one: 'Bakes bread. Do not use for cake.', two: 'Bakes cake.' }), 1);
    await settle();
    expect(await find('cake')).toEqual(['two']);
  });

  it('finds what models may start, however many that match only people start', SLOW, async () => {
    const people = many(120, () => 'Bakes bread and bread\ndisable-model-invocation: true');
    await follow(await store({ ...people, one: 'Bakes bread.', two: 'Eats cake with some bread.' }), 1);
    await settle();
    expect(await find('bread')).toHaveLength(100);
    const search = { text: 'bread', limit: 2, hidden: ['two'], forModels: true };
    expect((await stub.search(search)).hits.map(({ name }) => name)).toEqual(['one']);
    const { hits } = await stub.search({ ...search, hidden: [] });
    expect(hits.map(({ name }) => name).toSorted()).toEqual(['one', 'two']);
  });

  it('takes any text for words: no operator, no error', SLOW, async () => {
    await follow(await store({ one: 'Bakes bread, near or not.', two: 'name: bread' }), 1);
    await settle();
    const operators = fc.constantFrom(
      '"',
      "'",
      '*',
      '(',
      ')',
      ':',
      '^',
      '+',
      '-',
      '{',
      'OR',
      'NEAR',
      'NOT',
      'name',
      '\0',
      ' ',
    );
    const text = fc.array(fc.oneof(operators, fc.string({ unit: 'binary', maxLength: 3 })), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        const { hits } = await stub.search({ text: parts.join(''), limit: 5, hidden: [] });
        return hits.length <= 10;
      }),
      { numRuns: 300 },
    );
    expect(await find('"bread" NOT name')).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('indexes a skill of nothing but long words of its own', SLOW, async () => {
    // Letters of three bytes each, hundreds of words in every field.
    const word = (index: number) =>
      Array.from({ length: 20 }, (_, at) => String.fromCodePoint(0x1200 + ((index * 7 + at * at) % 64))).join(
        '',
      );
    const words = (from: number) =>
      Array.from({ length: 300 }, (_, index) => word(from + index * 13)).join(' ');
    const sink = new CollectedBlobs();
    const text = `---\ndescription: ${words(0).slice(0, 1000)}\nwhen_to_use: ${words(1).slice(0, 1000)}\ntags: [${words(2).slice(0, 3000)}]\n---\n${words(3).replaceAll(' ', '\n# ')}\n# marker\n`;
    const { catalog } = await compileLayer(
      'org',
      treeOf({ 'one/SKILL.md': text, 'two/SKILL.md': 'Marker.' }),
      sink,
    );
    const blobs = [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob }));
    await blobWriter(env).write(`o/${organisation}`, blobs);
    await follow(catalog, 1);
    await settle();
    expect(await stub.search({ text: word(0), limit: 5, hidden: [] })).toMatchObject({
      catalog,
      hits: [{ name: 'one' }],
    });
  });

  it('hides what it is told to, and fills up with others', async () => {
    await follow(await store(many(60, () => 'same words')), 1);
    await settle();
    const hidden = Array.from({ length: 20 }, (_, index) => `skill-${index}`);
    const found = await find('same', hidden);
    expect(found).toHaveLength(40);
    expect(found.some((name) => hidden.includes(name))).toBe(false);
  });

  it('goes from catalog to catalog, also back, and survives an eviction after every step', SLOW, async () => {
    const first = await store(many(500, (index) => `about apple${index}`));
    const second = await store({
      ...many(250, (index) => `about apple${index}`),
      ...Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`new-${index}`, 'about pears'])),
      'skill-7': 'about plums',
    });
    const until = async (steps: number) => {
      for (let step = 0; step < steps && (await runDurableObjectAlarm(stub)); step += 1)
        await evictDurableObject(stub);
    };
    await follow(first, 1);
    await until(3);
    await follow(second, 2);
    await until(4);
    await follow(first, 3);
    await until(1);
    expect((await stub.search({ text: 'x', limit: 1, hidden: [] })).catalog).not.toBe(second);
    await until(100);
    expect(await count()).toEqual([500, 500]);
    expect([await find('apple7'), await find('plums'), await find('pears')]).toEqual([['skill-7'], [], []]);
    await follow(second, 4);
    await until(100);
    expect(await count()).toEqual([500, 500]);
    expect([await find('plums'), (await find('pears')).length]).toEqual([['skill-7'], 100]);
    expect(await find('apple7')).not.toContain('skill-7');
    expect(await stub.search({ text: 'x', limit: 1, hidden: [] })).toMatchObject({ catalog: second });
  });

  it('goes back to what it had begun to take away', SLOW, async () => {
    const first = await store(many(500, (index) => `about apple${index}`));
    await follow(first, 1);
    await settle();
    await follow(await store({ other: 'about pears' }), 2);
    // The new skill, then some of those that went, and not all of them.
    for (let step = 0; step < 2; step += 1) await runDurableObjectAlarm(stub);
    const [left] = await count();
    expect(left).toBeLessThan(500);
    expect(left).toBeGreaterThan(1);
    await follow(first, 3);
    await settle();
    expect(await count()).toEqual([500, 500]);
    expect([await find('pears'), await find('apple499')]).toEqual([[], ['skill-499']]);
  });

  it('indexes one skill of many in a step or two, and only that', SLOW, async () => {
    const skills = many(300, (index) => `about apple${index}`);
    await follow(await store(skills), 1);
    await settle();
    const before = await ids();
    await follow(await store({ ...skills, 'skill-200': 'about plums' }), 2);
    expect(await settle()).toBeLessThanOrEqual(2);
    const after = await ids();
    expect([...after].filter(([name, id]) => before.get(name) !== id).map(([name]) => name)).toEqual([
      'skill-200',
    ]);
    expect(await find('plums')).toEqual(['skill-200']);
  });

  it('ignores news that arrive late, and tries again what cannot be read yet', async () => {
    const first = await store({ one: 'apples' });
    await follow(first, 2);
    await follow(digestOf('older'), 1);
    await settle();
    expect(await find('apples')).toEqual(['one']);
    await follow(digestOf('not there yet'), 3);
    await runDurableObjectAlarm(stub);
    expect(await find('apples')).toEqual(['one']);
    const alarm = await runInDurableObject(stub, (_object, state) => state.storage.getAlarm());
    expect(alarm).toBeGreaterThan(Date.now());
    await follow(await store({ one: 'pears' }), 4);
    await settle();
    expect(await find('pears')).toEqual(['one']);
  });
});

/** Rows of the index, and what it thinks they are. */
async function count(): Promise<unknown[]> {
  return runInDurableObject(stub, (_object, { storage }) => [
    storage.sql.exec('SELECT COUNT(*) AS count FROM skills').one()['count'],
    storage.sql.exec('SELECT skills FROM totals').one()['skills'],
  ]);
}

async function ids(): Promise<Map<unknown, unknown>> {
  const rows = await runInDurableObject(stub, (_object, { storage }) =>
    storage.sql.exec('SELECT name, id FROM skills').toArray(),
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}
