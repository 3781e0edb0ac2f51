import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildBundle } from '../../scripts/lib/build-bundle.ts';
import { openBundle } from '../../scripts/lib/bundle.ts';
import { pushLayer } from '../../scripts/lib/push-bundle.ts';
import { CatalogRoot } from '../../src/catalog/merkle-catalog.ts';
import { DigestSchema } from '../../src/catalog/revision.ts';
import type { Digest } from '../../src/core/digest.ts';
import { decodeBlobBatch } from '../../src/publish/blob-batch.ts';
import { skillText } from '../compile/trees.ts';
import { temporaryFolder } from './temporary.ts';

const Asked = z.object({ digests: z.array(DigestSchema), shards: z.boolean() });
/** Where to, beside what a push says of how. */
const Moved = z.object({ catalog: DigestSchema, index: DigestSchema });

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** What a deployment does for a push, with what it was asked. */
class Deployment {
  readonly blobs = new Map<Digest, Uint8Array>();
  head: z.infer<typeof Moved> | null = null;
  asked: number[] = [];
  requests = 0;

  async listen(): Promise<URL> {
    const server = createServer((request, response) => {
      void this.#answer(request).then((answer) => response.end(JSON.stringify(answer)));
    }).listen(0);
    closing.push(() => server.close());
    await once(server, 'listening');
    const address = server.address();
    return new URL(`http://localhost:${typeof address === 'object' ? address?.port : ''}`);
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const bytes = await new Response(ReadableStream.from(request)).bytes();
    this.requests += 1;
    if (request.method === 'PUT') {
      const batch = decodeBlobBatch(bytes);
      if (batch.ok) for (const blob of batch.value) this.blobs.set(blob.digest, blob.bytes);
      return {};
    }
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (request.url === '/v1/push/head') {
      this.head = Moved.parse(body);
      return { catalog: this.head.catalog };
    }
    const { digests, shards } = Asked.parse(body);
    this.asked.push(digests.length);
    const head = this.head && {
      ...this.head,
      ...(shards ? { shards: this.#shards(this.head.catalog) } : {}),
    };
    return { missing: digests.filter((digest) => !this.blobs.has(digest)), head };
  }

  #shards(catalog: Digest): Digest[] {
    const root = CatalogRoot.parse(JSON.parse(new TextDecoder().decode(this.blobs.get(catalog))));
    return root.shards.map(({ digest }) => digest);
  }
}

const SKILLS: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, at) => [`s${at}/SKILL.md`, skillText(`s${at}`)]),
);

/** Builds the skills, pushes them, and says how often and about how much the deployment was asked. */
async function pushed(deployment: Deployment, url: URL, skills: Readonly<Record<string, string>>) {
  const output = temporaryFolder();
  await buildBundle([{ layer: 'org', directory: temporaryFolder(skills) }], output, []);
  const bundle = openBundle(output);
  [deployment.asked, deployment.requests] = [[], 0];
  const [layer] = bundle.layers;
  if (!layer) throw new Error('one layer');
  const answer = await pushLayer(bundle, layer, { url, token: 'x' });
  const needed = layer.blobs.flatMap((position) => bundle.blobs[position]?.digest ?? []);
  bundle.close();
  // Whatever was asked, nothing may be missing now.
  expect(needed.filter((digest) => !deployment.blobs.has(digest))).toEqual([]);
  expect(deployment.head).toEqual({ catalog: layer.catalog, index: layer.index });
  expect(answer.requests).toBe(deployment.requests);
  return { ...answer, asked: deployment.asked, all: needed.length };
}

describe('a push of many skills', () => {
  it('asks about all blobs once, and afterwards about those of shards that changed', async () => {
    const deployment = new Deployment();
    const url = await deployment.listen();
    const first = await pushed(deployment, url, SKILLS);
    expect(first.sentBlobs).toBe(first.all);
    expect(first.asked).toEqual([expect.any(Number), first.all]);

    const again = await pushed(deployment, url, SKILLS);
    expect(again).toMatchObject({ requests: 1, sentBlobs: 0, moved: false });
    expect(again.asked[0]).toBeLessThan(first.all / 50);

    const changed = { ...SKILLS, 's500/SKILL.md': skillText('s500', '', 'Other.\n'), 's500/x.txt': 'new' };
    const one = await pushed(deployment, url, changed);
    // Its SKILL.md, file, revision and report; its shard, the root, the index and a page of it.
    expect(one.sentBlobs).toBeLessThanOrEqual(8);
    // Two questions, one batch, one move.
    expect(one).toMatchObject({ requests: 4, moved: true });
    expect(one.asked[1]).toBeLessThan(first.all / 2);

    const fewer = Object.fromEntries(Object.entries(changed).slice(1));
    expect(await pushed(deployment, url, fewer)).toMatchObject({ skills: 999, moved: true });
  });

  it('asks about a few at once', async () => {
    const deployment = new Deployment();
    const url = await deployment.listen();
    const few = { 'a/SKILL.md': skillText('a') };
    expect(await pushed(deployment, url, few)).toMatchObject({ requests: 3, asked: [7] });
    expect(await pushed(deployment, url, few)).toMatchObject({ requests: 1, asked: [7], moved: false });
  });

  it('asks about everything where the deployment stands at nothing of it', async () => {
    const deployment = new Deployment();
    const url = await deployment.listen();
    await pushed(deployment, url, { 'a/SKILL.md': skillText('a') });
    const answer = await pushed(deployment, url, SKILLS);
    expect(answer.asked).toEqual([expect.any(Number), answer.all]);
  });
});
