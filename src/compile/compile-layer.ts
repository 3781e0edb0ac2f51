import { type Digest, digestOf } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { buildListingIndex } from '../catalog/listing-index.ts';
import type { Layer } from '../catalog/layers.ts';
import { buildCatalog } from '../catalog/merkle-catalog.ts';
import { isSafePath, type SkillFile } from '../catalog/revision.ts';
import { uniqueNames } from '../catalog/unique-names.ts';
import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { catalogEntry, type CompiledSkill, compileSkill } from './compile-skill.ts';
import { findSkills, type SkillFolder } from './find-skills.ts';
import type { SourceFile, SourceTree } from './source-tree.ts';

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

export interface CompileProgress {
  (done: number, all: number): void;
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
  progress: CompileProgress = () => {},
): Promise<CompiledLayer> {
  const folders = findSkills(tree.files);
  const diagnostics: Diagnostic[] = [...tree.diagnostics];
  const store = fileStore(sink, diagnostics);
  const found: FoundSkill[] = [];
  const notLoaded: string[] = [];
  for (const [index, folder] of folders.entries()) {
    const skill = await compileFolder(folder, store, diagnostics);
    if (skill) {
      for (const document of [skill.revision, skill.report]) await putText(sink, document);
      found.push({ name: skill.name, revision: skill.revision.digest, folder: folder.folder, skill });
    } else {
      notLoaded.push(folder.folder);
    }
    progress(index + 1, folders.length);
  }

  const naming = uniqueNames(found);
  for (const clash of naming.clashes) {
    const message = `"${clash.name}" is also in ${clash.winner || 'the source itself'}; this one is "${clash.qualified}"`;
    diagnostics.push(diagnostic('name-clash', joined(clash.folder, SKILL_FILE_NAME), 1, message));
  }
  for (const merge of naming.merged) {
    const message = `the same as ${joined(merge.into, SKILL_FILE_NAME)}`;
    diagnostics.push(diagnostic('skill-merged', joined(merge.folder, SKILL_FILE_NAME), 1, message));
  }
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
    files: store.count(),
    merged: naming.merged.length,
    clashes: naming.clashes.length,
    notLoaded,
    diagnostics,
  };
}

async function compileFolder(
  folder: SkillFolder,
  store: FileStore,
  diagnostics: Diagnostic[],
): Promise<CompiledSkill | null> {
  const skillPath = folder.skillFile.path;
  const tooMany = folder.files.length > SKILL_LIMITS.files;
  const total = folder.files.reduce((sum, { file }) => sum + Math.min(file.size, SKILL_LIMITS.fileBytes), 0);
  if (tooMany || total > SKILL_LIMITS.totalBytes) {
    const size = tooMany ? `${folder.files.length} files` : `${total} bytes`;
    diagnostics.push(diagnostic('skill-too-large', skillPath, 1, `the skill has ${size}`));
    return null;
  }
  const bytes = await readBounded(folder.skillFile, SKILL_LIMITS.skillFileBytes);
  if (!(bytes instanceof Uint8Array)) {
    diagnostics.push(bytes);
    return null;
  }
  const files: SkillFile[] = [];
  for (const { path, file } of folder.files) {
    const stored = await store.put(path, file, file === folder.skillFile ? bytes : null);
    if (stored) files.push(stored);
  }
  const compiled = compileSkill(bytes, files, folderName(folder.folder));
  diagnostics.push(
    ...compiled.diagnostics.map((entry) => ({ ...entry, path: joined(folder.folder, entry.path) })),
    ...folderRemarks(folder.folder, compiled.skill?.name),
  );
  return compiled.skill;
}

interface FileStore {
  /** The file as part of a skill, or null when it cannot be one (and why is said once). */
  put(path: string, file: SourceFile, known: Uint8Array | null): Promise<SkillFile | null>;
  count(): number;
}

/** Reads, hashes and stores each file once, however many skills it belongs to. */
function fileStore(sink: BlobSink, diagnostics: Diagnostic[]): FileStore {
  const seen = new Map<string, { sha256: Digest; size: number } | null>();
  const load = async (path: string, file: SourceFile, known: Uint8Array | null) => {
    if (!isSafePath(path)) {
      diagnostics.push(diagnostic('path-unsafe', file.path, 1, 'the path cannot be part of a skill'));
      return null;
    }
    const bytes = known ?? (await readBounded(file, SKILL_LIMITS.fileBytes));
    if (!(bytes instanceof Uint8Array)) {
      diagnostics.push(bytes);
      return null;
    }
    const sha256 = digestOf(bytes);
    await sink.put(sha256, bytes, file.path.endsWith(SKILL_FILE_NAME) ? 'hot' : 'cold');
    return { sha256, size: bytes.length };
  };
  return {
    async put(path, file, known) {
      const before = seen.get(file.path);
      const stored = before === undefined ? await load(path, file, known) : before;
      seen.set(file.path, stored);
      return stored ? { path, ...stored, executable: file.executable } : null;
    },
    count: () => [...seen.values()].filter((stored) => stored !== null).length,
  };
}

async function readBounded(file: SourceFile, limit: number): Promise<Uint8Array | Diagnostic> {
  if (file.size > limit) {
    return diagnostic('file-too-large', file.path, 1, `the file has ${file.size} bytes, more than ${limit}`);
  }
  return file.read();
}

async function putText(sink: BlobSink, document: { digest: Digest; text: string }): Promise<void> {
  await sink.put(document.digest, new TextEncoder().encode(document.text), 'hot');
}

/** What depends on where a skill lies, and so belongs to the build and not to the revision's report. */
function folderRemarks(folder: string, name: string | undefined): Diagnostic[] {
  if (name === undefined || folder === '' || folderName(folder) === name) return [];
  const message = `the skill "${name}" lies in a folder of another name`;
  return [diagnostic('name-differs-from-folder', joined(folder, SKILL_FILE_NAME), 1, message)];
}

function folderName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1) || 'skill';
}

function joined(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}
