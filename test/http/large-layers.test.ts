import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { openRoot, StoredRoot } from '../../src/catalog/merkle-catalog.ts';
import { CatalogBranch } from '../../src/catalog/branches.ts';
import { compileLayer } from '../../src/compile/compile-layer.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { type Digest, digestOf, isDigest } from '../../src/core/digest.ts';
import { blobStore } from '../../src/store/blob-store.ts';
import { readBranches, readRoot } from '../../src/view/read-root.ts';
import { namesEndingShards } from '../catalog/entries.ts';
import { CollectedBlobs, skillText, treeOf } from '../compile/trees.ts';
import { call, newOrganisation, push, sendBlobs, settle, tokenFor } from '../support/deployment.ts';
import { put, skillPath } from '../support/publishing.ts';

/** Dozens of skills are compiled and verified. */
const SLOW = { timeout: 60_000 };
const NAMES = namesEndingShards(70);
const [CHANGED = ''] = NAMES.slice(30);
const FILES = Object.fromEntries(NAMES.map((name) => [`${name}/SKILL.md`, skillText(name)]));
const OTHER = skillText(CHANGED, '', 'Other.\n');

let organisation = '';
let token = '';
beforeEach(async () => {
  organisation = newOrganisation();
  token = await tokenFor(organisation);
});

const body = async (name: string) => (await call('GET', `/v1/skills/${name}/body`, { token })).text();
const catalogOf = async (response: Promise<Response>): Promise<Digest> => {
  const { catalog }: { catalog: string } = await (await response).json();
  if (!isDigest(catalog)) throw new Error('not published');
  return catalog;
};
const branches = (catalog: Digest) => readBranches(blobStore(env), `o/${organisation}`, catalog);
const root = (catalog: Digest) => readRoot(blobStore(env), `o/${organisation}`, catalog);
const publish = () => catalogOf(put(token, CHANGED, [{ path: 'SKILL.md', text: OTHER }]));

describe('a layer of many shards', () => {
  it('is published with branches, one of which changes with a skill', SLOW, async () => {
    const { catalog, response } = await push(token, 'org', treeOf(FILES));
    expect(response.status).toBe(200);
    const before = await branches(catalog);
    expect(before.length).toBeGreaterThan(0);
    const after = await publish();
    expect((await branches(after)).filter((digest) => !before.includes(digest))).toHaveLength(1);
    expect([await body(CHANGED), await body(NAMES[0] ?? '')]).toEqual(['Other.\n', `How to ${NAMES[0]}.\n`]);
    expect(await root(after)).toMatchObject({ entries: NAMES.length });

    const anew = await push(
      await tokenFor(newOrganisation()),
      'org',
      treeOf({ ...FILES, [`${CHANGED}/SKILL.md`]: OTHER }),
    );
    expect(after).toBe(anew.catalog);
  });

  it(
    'takes a root from before that has all shards itself, and leaves it for one with branches',
    SLOW,
    async () => {
      const sink = new CollectedBlobs();
      const { catalog, index } = await compileLayer('org', treeOf(FILES), sink);
      const stored = StoredRoot.parse(JSON.parse(sink.text(catalog)));
      const parts = [...sink.blobs.keys()].filter((digest) => isBranch(sink.text(digest)));
      const old = canonicalJson(
        openRoot(
          stored,
          parts.map((digest) => CatalogBranch.parse(JSON.parse(sink.text(digest)))),
        ),
      );
      for (const digest of [...parts, catalog]) sink.blobs.delete(digest);
      sink.put(digestOf(old), new TextEncoder().encode(old), 'hot');
      const all = [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob }));
      await sendBlobs(token, 'org', all);
      const move = { layer: 'org', catalog: digestOf(old), index, expected: null };
      expect(await catalogOf(call('POST', '/v1/push/head', { token, body: move }))).toBe(digestOf(old));
      expect(await body(CHANGED)).toBe(`How to ${CHANGED}.\n`);

      const after = await publish();
      expect((await branches(after)).length).toBeGreaterThan(0);
      expect((await root(after))?.shards).toHaveLength(NAMES.length);
      const withdrawn = await catalogOf(call('DELETE', skillPath('org', NAMES[1] ?? ''), { token }));
      expect((await root(withdrawn))?.shards).toHaveLength(NAMES.length - 1);
      await settle(organisation);
      expect([await body(CHANGED), await body(NAMES[2] ?? '')]).toEqual([
        'Other.\n',
        `How to ${NAMES[2]}.\n`,
      ]);
    },
  );

  it('is not moved to a root of which a branch is missing', SLOW, async () => {
    const sink = new CollectedBlobs();
    const { catalog, index } = await compileLayer('org', treeOf(FILES), sink);
    const all = [...sink.blobs].map(([digest, blob]) => ({ digest, ...blob }));
    const branch = all.find(({ digest }) => isBranch(sink.text(digest)));
    await sendBlobs(
      token,
      'org',
      all.filter((blob) => blob !== branch),
    );
    const move = { layer: 'org', catalog, index, expected: null };
    const refused = await call('POST', '/v1/push/head', { token, body: move });
    expect(await refused.json()).toMatchObject({ code: 'push_invalid' });
    await sendBlobs(token, 'org', branch ? [branch] : []);
    expect(await catalogOf(call('POST', '/v1/push/head', { token, body: move }))).toBe(catalog);
  });
});

function isBranch(text: string): boolean {
  return text.startsWith('{"shards":');
}
