import type { Space } from '../catalog/layers.ts';
import type { Revision } from '../catalog/revision.ts';
import type { SkillContent } from '../compile/compile-skill.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import type { BlobStore } from '../view/ports.ts';

/**
 * The files of some revisions, in their order, read together; null where one is not there, or has another size than its
 * revision says. Those of one call are in memory at once: see `bySize`.
 */
export async function readContents(
  blobs: BlobStore,
  space: Space,
  revisions: readonly Revision[],
): Promise<(SkillContent[] | null)[]> {
  // Copies of a licence are in many skills.
  const wanted = new Map(
    revisions.flatMap(({ files }) =>
      files.map(({ path, sha256: digest, size }) => {
        const tier = path === SKILL_FILE_NAME ? 'hot' : 'cold';
        return [`${tier} ${digest}`, { space, digest, size, tier, once: tier === 'cold' } as const] as const;
      }),
    ),
  );
  const read = await blobs.readMany([...wanted.values()]);
  const known = new Map([...wanted.values()].map(({ digest }, at) => [digest, read[at] ?? null]));
  return revisions.map(({ files }) => {
    const contents = files.flatMap((file) => {
      const bytes = known.get(file.sha256);
      return bytes?.length === file.size ? [{ ...file, bytes }] : [];
    });
    return contents.length === files.length ? contents : null;
  });
}

/** What its files weigh, as it says. */
export function sizeOf({ files }: Revision): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

/** Parts of a list, none of them longer than `most`, nor larger than one skill may be, but for one skill that is. */
export function* bySize<Item extends { readonly revision: Revision }>(
  items: readonly Item[],
  most: number,
): Generator<Item[]> {
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item.revision);
    if (part.length > 0 && (part.length === most || bytes + size > SKILL_LIMITS.totalBytes)) {
      yield part;
      [part, bytes] = [[], 0];
    }
    part.push(item);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
