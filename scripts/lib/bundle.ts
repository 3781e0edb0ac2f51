import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Layer } from '../../src/catalog/layers.ts';
import { DigestSchema } from '../../src/catalog/revision.ts';
import type { BlobSink, BlobTier, CompiledLayer } from '../../src/compile/compile-layer.ts';
import { COMPILER_VERSION } from '../../src/compile/report.ts';
import { canonicalJson } from '../../src/core/canonical-json.ts';
import { type Digest, digestOf } from '../../src/core/digest.ts';
import { formatDiagnostic } from '../../src/format/diagnostic.ts';

/** `bundle.json`. Blobs lie in `blobs.pack` one after the other, in this order. */
const BundleManifest = z.strictObject({
  version: z.literal(1),
  compiler: z.int(),
  layers: z.array(
    z.strictObject({
      layer: Layer,
      catalog: DigestSchema,
      index: DigestSchema,
      skills: z.int(),
      /** Which blobs the layer needs, as positions in `blobs`. */
      blobs: z.array(z.int().nonnegative()),
    }),
  ),
  blobs: z.array(
    z.strictObject({ digest: DigestSchema, size: z.int().nonnegative(), tier: z.enum(['hot', 'cold']) }),
  ),
});
type BundleManifest = z.infer<typeof BundleManifest>;

/** The files of a bundle. */
export const BUNDLE_FILES: readonly string[] = ['bundle.json', 'blobs.pack', 'diagnostics.txt'];

export interface BundleTotals {
  readonly blobs: number;
  readonly bytes: number;
  readonly duplicateBytesSaved: number;
}

export interface BundleWriter {
  sinkFor(layer: Layer): BlobSink;
  finish(layers: readonly CompiledLayer[]): BundleTotals;
}

const PIECE_BYTES = 1024 * 1024;

/** Writes a bundle as it is compiled; equal bytes are written once. The folder is made anew. */
export function writeBundle(directory: string): BundleWriter {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const pack = new PackFile(join(directory, 'blobs.pack'));
  const blobs = new Map<Digest, { position: number; size: number; tier: BlobTier }>();
  const needed = new Map<Layer, Set<number>>();
  let bytes = 0;
  let duplicateBytesSaved = 0;
  return {
    sinkFor(layer) {
      const positions = new Set<number>();
      needed.set(layer, positions);
      return {
        put(digest, content, tier) {
          const known = blobs.get(digest);
          positions.add(known?.position ?? blobs.size);
          if (known) {
            duplicateBytesSaved += content.length;
            if (tier === 'hot') known.tier = 'hot';
            return;
          }
          blobs.set(digest, { position: blobs.size, size: content.length, tier });
          bytes += content.length;
          pack.append(content);
        },
      };
    },
    finish(layers) {
      pack.close();
      const manifest: BundleManifest = {
        version: 1,
        compiler: COMPILER_VERSION,
        layers: layers.map(({ layer, catalog, index, skills }) => {
          return { layer, catalog, index, skills, blobs: [...(needed.get(layer) ?? [])] };
        }),
        blobs: [...blobs].map(([digest, { size, tier }]) => ({ digest, size, tier })),
      };
      writeFileSync(join(directory, 'bundle.json'), `${canonicalJson(manifest)}\n`);
      const remarks = layers.flatMap((layer) =>
        layer.diagnostics.map((entry) => `${layer.layer} ${formatDiagnostic(entry)}\n`),
      );
      writeFileSync(join(directory, 'diagnostics.txt'), remarks.join(''));
      return { blobs: blobs.size, bytes, duplicateBytesSaved };
    },
  };
}

/** A file that is only added to, in large pieces: thousands of small writes cost more than what they write. */
class PackFile {
  readonly #file: number;
  readonly #buffer = new Uint8Array(PIECE_BYTES);
  #used = 0;

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  append(content: Uint8Array): void {
    if (this.#used + content.length > PIECE_BYTES) this.#flush();
    if (content.length > PIECE_BYTES) return writeAll(this.#file, content);
    this.#buffer.set(content, this.#used);
    this.#used += content.length;
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    writeAll(this.#file, this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }
}

function writeAll(file: number, content: Uint8Array): void {
  for (let written = 0; written < content.length;) written += writeSync(file, content, written);
}

export interface BundleBlob {
  readonly digest: Digest;
  readonly size: number;
  readonly tier: BlobTier;
}

export interface Bundle {
  readonly layers: BundleManifest['layers'];
  readonly blobs: readonly BundleBlob[];
  /** The blob's bytes, checked against its digest. */
  read(digest: Digest): Uint8Array;
  close(): void;
}

/** Opens a bundle that `npm run build` wrote. Throws with what to do when there is none. */
export function openBundle(directory: string): Bundle {
  let text: string;
  try {
    text = readFileSync(join(directory, 'bundle.json'), 'utf8');
  } catch {
    throw new Error(`no bundle in ${directory}: run "npm run build" first`);
  }
  const manifest = BundleManifest.parse(JSON.parse(text));
  const pack = openSync(join(directory, 'blobs.pack'), 'r');
  const places = new Map<Digest, { offset: number; size: number }>();
  let offset = 0;
  for (const { digest, size } of manifest.blobs) {
    places.set(digest, { offset, size });
    offset += size;
  }
  return {
    layers: manifest.layers,
    blobs: manifest.blobs,
    read(digest) {
      const place = places.get(digest);
      if (!place) throw new Error(`the bundle has no blob ${digest}`);
      const content = new Uint8Array(place.size);
      for (let read = 0; read < place.size;) {
        const count = readSync(pack, content, read, place.size - read, place.offset + read);
        if (count === 0) break;
        read += count;
      }
      if (digestOf(content) !== digest)
        throw new Error(`the bundle is damaged at ${digest}: run "npm run build" again`);
      return content;
    },
    close: () => closeSync(pack),
  };
}
