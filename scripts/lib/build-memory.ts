import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Layer } from '../../src/catalog/layers.ts';
import { DigestSchema } from '../../src/catalog/revision.ts';
import type { SourceFile, SourceTree } from '../../src/compile/source-tree.ts';
import { byCodeUnit } from '../../src/core/canonical-json.ts';
import { type Digest, digestOf } from '../../src/core/digest.ts';
import { Diagnostic } from '../../src/format/diagnostic.ts';
import { parseJson } from '../../src/view/json-document.ts';
import { BUNDLE_FILES } from './bundle.ts';

const FILE = 'build.json';

const CompiledLayer = z.strictObject({
  layer: Layer,
  catalog: DigestSchema,
  index: DigestSchema,
  skills: z.int(),
  files: z.int(),
  merged: z.int(),
  clashes: z.int(),
  notLoaded: z.array(z.string()),
  diagnostics: z.array(Diagnostic),
});

const Outcome = z.strictObject({
  blobs: z.int(),
  bytes: z.int(),
  duplicateBytesSaved: z.int(),
  layers: z.array(CompiledLayer),
});

const BuildMemory = z.strictObject({
  version: z.literal(1),
  /** Digest of everything that was compiled, and of what compiled it. */
  inputs: DigestSchema,
  /** Digests of the bundle's files as they were written. */
  outputs: z.record(z.string(), DigestSchema),
  outcome: Outcome,
});
export type Outcome = z.infer<typeof Outcome>;

/** A tree whose reads are remembered by digest, so that a build knows what it read without reading it again. */
export class RecordedTree implements SourceTree {
  readonly files: readonly SourceFile[];
  readonly diagnostics: SourceTree['diagnostics'];
  readonly #digests = new Map<string, Digest>();

  constructor(tree: SourceTree) {
    this.diagnostics = tree.diagnostics;
    this.files = tree.files.map((file) => ({
      path: file.path,
      size: file.size,
      executable: file.executable,
      read: async () => {
        const content = await file.read();
        this.#digests.set(
          file.path,
          digestOf(content instanceof Uint8Array ? content : JSON.stringify(content)),
        );
        return content;
      },
    }));
  }

  /** Says exactly what the tree holds; reads what nobody has read yet. */
  async fingerprint(): Promise<unknown> {
    const files = [];
    for (const file of this.files) {
      if (!this.#digests.has(file.path)) await file.read();
      files.push([file.path, file.size, file.executable, this.#digests.get(file.path)]);
    }
    return [files, this.diagnostics];
  }
}

/** One digest of all trees, of what else decides the outcome, and of the compiler's own source. */
export async function inputsDigest(trees: readonly RecordedTree[], settings: unknown): Promise<Digest> {
  const fingerprints = await Promise.all(trees.map((tree) => tree.fingerprint()));
  return digestOf(JSON.stringify([fingerprints, settings, compilerDigest()]));
}

/** What a build in this folder gave before, if it was of the same inputs and nobody touched its files. */
export function recallBuild(directory: string, inputs: Digest): Outcome | null {
  const memory = readMemory(directory);
  if (memory?.inputs !== inputs) return null;
  const intact = BUNDLE_FILES.every((file) => memory.outputs[file] === digestOfFile(join(directory, file)));
  return intact ? memory.outcome : null;
}

export function hasMemory(directory: string): boolean {
  return readMemory(directory) !== null;
}

export function rememberBuild(directory: string, inputs: Digest, outcome: Outcome): void {
  const outputs = Object.fromEntries(
    BUNDLE_FILES.flatMap((file) => {
      const digest = digestOfFile(join(directory, file));
      return digest === null ? [] : [[file, digest]];
    }),
  );
  const memory: z.infer<typeof BuildMemory> = { version: 1, inputs, outputs, outcome };
  writeFileSync(join(directory, FILE), `${JSON.stringify(memory)}\n`);
}

function readMemory(directory: string): z.infer<typeof BuildMemory> | null {
  try {
    return parseJson(BuildMemory, readFileSync(join(directory, FILE), 'utf8'));
  } catch {
    return null;
  }
}

function digestOfFile(file: string): Digest | null {
  try {
    return digestOf(readFileSync(file));
  } catch {
    return null;
  }
}

/** A change of the compiler is a change of the inputs, whether or not somebody thought of a version number. */
export function compilerDigest(): Digest {
  const source = new URL('../../src/', import.meta.url).pathname;
  const files = ['core', 'catalog', 'format', 'text', 'listing', 'scan', 'compile'].flatMap((floor) =>
    readdirSync(join(source, floor), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(source, floor, name)),
  );
  for (const name of ['token-counter.ts', 'byte-pairs.ts']) files.push(join(source, '../scripts/lib', name));
  // The packages that read frontmatter and have the vocabulary of tokens, by their versions.
  files.push(join(source, '../package.json'));
  return digestOf(
    files
      .toSorted(byCodeUnit)
      .map((file) => `${file}\n${readFileSync(file, 'utf8')}`)
      .join('\n'),
  );
}
