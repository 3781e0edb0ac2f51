import type { Digest } from '../core/digest.ts';
import { buildListingIndex } from '../catalog/listing-index.ts';
import type { Layer } from '../catalog/layers.ts';
import { buildCatalog } from '../catalog/merkle-catalog.ts';
import { type Naming, uniqueNames } from '../catalog/unique-names.ts';
import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { type CompiledFolder, compileFolder, joined } from './compile-folder.ts';
import { catalogEntry, type CompiledSkill, type Document } from './compile-skill.ts';
import { findSkills } from './find-skills.ts';
import type { SourceTree } from './source-tree.ts';

/**
 * Where compiled bytes go, one blob at a time, so that no tree is ever held whole. `hot` blobs are small and read on
 * the way to every answer (catalog nodes, reports, SKILL.md); `cold` ones only when a file is asked for.
 */
export interface BlobSink {
  put(digest: Digest, bytes: Uint8Array, tier: BlobTier): Promise<void> | void;
}
export type BlobTier = 'hot' | 'cold';

export interface CompiledLayer {
  readonly layer: Layer;
  readonly catalog: Digest;
  readonly index: Digest;
  readonly skills: number;
  readonly files: number;
  readonly merged: number;
  readonly clashes: number;
  /** Folders with a SKILL.md that did not load. */
  readonly notLoaded: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface CompileOptions {
  readonly progress?: (done: number, all: number) => void;
}

interface FoundSkill {
  readonly name: string;
  readonly revision: Digest;
  readonly folder: string;
  readonly skill: CompiledSkill;
}

/** Compiles one layer's source tree. Bad skills are reported and left out; the others always load. */
export async function compileLayer(
  layer: Layer,
  tree: SourceTree,
  sink: BlobSink,
  options: CompileOptions = {},
): Promise<CompiledLayer> {
  const folders = findSkills(tree.files);
  const remarks = new Remarks(tree.diagnostics);
  const found: FoundSkill[] = [];
  const notLoaded: string[] = [];
  const stored = new Set<string>();
  for (const [index, folderFiles] of folders.entries()) {
    const compiled = await compileFolder(folderFiles);
    remarks.add(compiled.diagnostics);
    await storeFolder(compiled, stored, sink);
    const { skill, folder } = compiled;
    if (skill) found.push({ name: skill.name, revision: skill.revision.digest, folder, skill });
    else notLoaded.push(folder);
    options.progress?.(index + 1, folders.length);
  }

  const naming = uniqueNames(found);
  remarks.add(namingRemarks(naming));
  const entries = naming.names.map(({ name, found: { skill }, origins }) =>
    catalogEntry(skill, name, origins),
  );
  const catalog = buildCatalog(layer, entries);
  const index = buildListingIndex(entries);
  for (const document of [...catalog.shards, catalog.root, index]) await putText(sink, document);
  return {
    layer,
    catalog: catalog.root.digest,
    index: index.digest,
    skills: entries.length,
    files: stored.size,
    merged: naming.merged.length,
    clashes: naming.clashes.length,
    notLoaded,
    diagnostics: remarks.all,
  };
}

/** Stores what a folder gave. A file that belongs to several skills is stored for the first of them. */
async function storeFolder(
  { skill, files }: CompiledFolder,
  stored: Set<string>,
  sink: BlobSink,
): Promise<void> {
  for (const { treePath, sha256, bytes } of files) {
    if (stored.has(treePath)) continue;
    stored.add(treePath);
    await sink.put(sha256, bytes, isSkillFile(treePath) ? 'hot' : 'cold');
  }
  for (const document of skill ? [skill.revision, skill.report] : []) await putText(sink, document);
}

function isSkillFile(path: string): boolean {
  return path === SKILL_FILE_NAME || path.endsWith(`/${SKILL_FILE_NAME}`);
}

async function putText(sink: BlobSink, document: Document): Promise<void> {
  await sink.put(document.digest, new TextEncoder().encode(document.text), 'hot');
}

function namingRemarks({ clashes, merged }: Naming<FoundSkill>): Diagnostic[] {
  const path = (folder: string): string => joined(folder, SKILL_FILE_NAME);
  return [
    ...clashes.map(({ folder, name, qualified, winner }) => {
      const message = `"${name}" is also in ${winner || 'the source itself'}; this one is "${qualified}"`;
      return diagnostic('name-clash', path(folder), 1, message);
    }),
    ...merged.map(({ folder, into }) =>
      diagnostic('skill-merged', path(folder), 1, `the same as ${path(into)}`),
    ),
  ];
}

/** Remarks in order, each once: a file that belongs to two skills is looked at twice. */
class Remarks {
  readonly all: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  constructor(first: readonly Diagnostic[]) {
    this.add(first);
  }

  add(more: readonly Diagnostic[]): void {
    for (const entry of more) {
      const key = `${entry.path}\n${entry.line}\n${entry.code}\n${entry.message}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.all.push(entry);
    }
  }
}
