import type { BlobTier } from '../../src/compile/compile-layer.ts';
import type { SourceFile, SourceTree } from '../../src/compile/source-tree.ts';
import type { Digest } from '../../src/core/digest.ts';

/** A tree from texts, for tests; paths ending in `!` are executable. */
export function treeOf(files: Readonly<Record<string, string | Uint8Array>>): SourceTree {
  return {
    diagnostics: [],
    files: Object.entries(files).map(([written, content]): SourceFile => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const path = written.replace(/!$/, '');
      return { path, size: bytes.length, executable: path !== written, read: async () => bytes };
    }),
  };
}

export function skillText(name: string, more = '', body = `How to ${name}.\n`): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}`;
}

export class CollectedBlobs {
  readonly blobs = new Map<Digest, { bytes: Uint8Array; tier: BlobTier }>();
  repeated = 0;

  put(digest: Digest, bytes: Uint8Array, tier: BlobTier): void {
    if (this.blobs.has(digest)) this.repeated += 1;
    else this.blobs.set(digest, { bytes, tier });
  }

  text(digest: Digest): string {
    return new TextDecoder().decode(this.blobs.get(digest)?.bytes);
  }
}
