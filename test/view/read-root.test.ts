import { describe, expect, it } from 'vitest';
import { buildCatalog } from '../../src/catalog/merkle-catalog.ts';
import type { BlobStore } from '../../src/view/ports.ts';
import { readBranches, readRoot } from '../../src/view/read-root.ts';
import { entry, namesEndingShards } from '../catalog/entries.ts';

const SPACE = 'o/acme';

/** A stored catalog, and how many documents each read asked for. */
function stored(names: readonly string[]) {
  const built = buildCatalog(
    'org',
    names.map((name) => entry(name)),
  );
  const texts = new Map([built.root, ...built.branches].map(({ digest, text }) => [digest, text]));
  const reads: number[] = [];
  const blobs: BlobStore = {
    readMany: async () => [],
    async readDocuments(wanted, kind) {
      reads.push(wanted.length);
      return wanted.map(({ digest }) => kind.parse(texts.get(digest) ?? ''));
    },
  };
  return { built, texts, blobs, reads };
}

describe('reading a root', () => {
  it('takes one read where it has its shards itself, else one more for all of its branches', async () => {
    const few = stored(['a', 'b']);
    expect(await readRoot(few.blobs, SPACE, few.built.root.digest)).toMatchObject({ entries: 2 });
    expect(few.reads).toEqual([1]);
    const many = stored(namesEndingShards(90));
    const root = await readRoot(many.blobs, SPACE, many.built.root.digest);
    expect(root?.shards.map(({ digest }) => digest)).toEqual(many.built.shards.map(({ digest }) => digest));
    expect(many.reads).toEqual([1, many.built.branches.length]);
  });

  it('gives nothing where any of it cannot be read', async () => {
    const { built, blobs, texts } = stored(namesEndingShards(90));
    expect(await readBranches(blobs, SPACE, built.root.digest)).toEqual(
      built.branches.map(({ digest }) => digest),
    );
    for (const { digest, text } of [...built.branches, built.root]) {
      texts.delete(digest);
      expect(await readRoot(blobs, SPACE, built.root.digest)).toBeNull();
      if (digest !== built.root.digest) texts.set(digest, text);
    }
    expect(await readBranches(blobs, SPACE, built.root.digest)).toEqual([]);
  });
});
