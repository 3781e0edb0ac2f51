import { type Digest, digestOf } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { isSafePath } from '../catalog/revision.ts';
import type { TokenCounter } from '../catalog/token-counts.ts';
import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { type CompiledSkill, compileSkill, type SkillContent } from './compile-skill.ts';
import { fromReport, inputsOf, type KnownReports } from './known-reports.ts';
import { isLoose, type SkillFolder } from './skill-folder.ts';
import type { SourceFile } from './source-tree.ts';
import { inFolder } from './tree-index.ts';

/** A file that was read, by its path in the tree. */
export interface LoadedFile {
  readonly treePath: string;
  readonly sha256: Digest;
  readonly bytes: Uint8Array;
}

/**
 * What one folder gave: plain data, so that folders can be compiled by several threads and put together by one.
 * `skill` is null where it did not load; the diagnostics, with paths in the tree, say why.
 */
export interface CompiledFolder {
  readonly folder: string;
  readonly skill: CompiledSkill | null;
  readonly files: readonly LoadedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads, hashes and compiles one skill's folder, or takes the report that is known of the same files. It needs nothing of
 * any other folder.
 */
export async function compileFolder(
  folder: SkillFolder,
  counter: TokenCounter | null = null,
  known: KnownReports | null = null,
): Promise<CompiledFolder> {
  const nothing = { folder: folder.folder, skill: null, files: [] };
  const tooLarge = checkSize(folder);
  if (tooLarge) return { ...nothing, diagnostics: [tooLarge] };
  const skillFileBytes = await readBounded(folder.skillFile, SKILL_LIMITS.skillFileBytes);
  if (!(skillFileBytes instanceof Uint8Array)) return { ...nothing, diagnostics: [skillFileBytes] };

  const diagnostics: Diagnostic[] = [];
  const loaded: LoadedFile[] = [];
  const files: SkillContent[] = [];
  for (const { path, file } of folder.files) {
    const bytes = file === folder.skillFile ? skillFileBytes : await readPart(path, file);
    if (bytes instanceof Uint8Array) {
      const sha256 = digestOf(bytes);
      loaded.push({ treePath: file.path, sha256, bytes });
      files.push({ path, size: bytes.length, sha256, executable: file.executable, bytes });
    } else {
      diagnostics.push(bytes);
    }
  }
  const compiled = compileOrRecall(files, folderName(folder.folder), counter, known);
  // All that compiling remarks on is the SKILL.md, which a loose file is under another name.
  const { path } = folder.skillFile;
  diagnostics.push(
    ...compiled.diagnostics.map((entry) => ({ ...entry, path })),
    ...(isLoose(folder) ? [] : folderRemarks(folder.folder, compiled.skill?.name)),
  );
  return {
    folder: folder.folder,
    skill: compiled.skill,
    files: compiled.skill ? loaded : [],
    diagnostics,
  };
}

function compileOrRecall(
  files: readonly SkillContent[],
  fallbackName: string,
  counter: TokenCounter | null,
  known: KnownReports | null,
): ReturnType<typeof compileSkill> {
  if (!known) return compileSkill(files, fallbackName, counter);
  const inputs = inputsOf(files, fallbackName, counter);
  const earlier = known.recall(inputs);
  const recalled = earlier && fromReport(earlier, files);
  const compiled = recalled
    ? { skill: recalled, diagnostics: recalled.diagnostics }
    : compileSkill(files, fallbackName, counter);
  if (compiled.skill) known.remember(inputs, compiled.skill.report.digest);
  return compiled;
}

function checkSize(folder: SkillFolder): Diagnostic | null {
  const tooMany = folder.files.length > SKILL_LIMITS.files;
  const total = folder.files.reduce((sum, { file }) => sum + Math.min(file.size, SKILL_LIMITS.fileBytes), 0);
  if (!tooMany && total <= SKILL_LIMITS.totalBytes) return null;
  const size = tooMany ? `${folder.files.length} files` : `${total} bytes`;
  return diagnostic('skill-too-large', folder.skillFile.path, 1, `the skill has ${size}`);
}

async function readPart(path: string, file: SourceFile): Promise<Uint8Array | Diagnostic> {
  if (isSafePath(path)) return readBounded(file, SKILL_LIMITS.fileBytes);
  return diagnostic('path-unsafe', file.path, 1, 'the path cannot be part of a skill');
}

async function readBounded(file: SourceFile, limit: number): Promise<Uint8Array | Diagnostic> {
  if (file.size <= limit) return file.read();
  return diagnostic('file-too-large', file.path, 1, `the file has ${file.size} bytes, more than ${limit}`);
}

/** What depends on where a skill lies, and so belongs to the build and not to the revision's report. */
function folderRemarks(folder: string, name: string | undefined): Diagnostic[] {
  if (name === undefined || folder === '' || folderName(folder) === name) return [];
  const message = `the skill "${name}" lies in a folder of another name`;
  return [diagnostic('name-differs-from-folder', inFolder(folder, SKILL_FILE_NAME), 1, message)];
}

/** The name that a place gives: the folder's, or a loose file's without `.md`. */
function folderName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1).replace(/\.md$/, '') || 'skill';
}
