import { buildListingIndex, type Recount } from '../catalog/listing-index.ts';
import { type ListingState, strictest } from '../catalog/listing-state.ts';
import type { Layer } from '../catalog/layers.ts';
import { buildCatalog } from '../catalog/merkle-catalog.ts';
import { PRECEDENCES, type PrecedenceName } from '../catalog/precedence.ts';
import { usualTrust } from '../catalog/provenance.ts';
import type { TokenCounter } from '../catalog/token-counts.ts';
import type { Digest } from '../core/digest.ts';
import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { countPieces, textPieces } from '../listing/counted-pieces.ts';
import { prepareTexts } from '../listing/listing-entry.ts';
import { type CompiledFolder, compileFolder } from './compile-folder.ts';
import { type CompiledSkill, type Document, forCatalog } from './compile-skill.ts';
import type { KnownReports } from './known-reports.ts';
import { type LaidSkill, layOut } from './lay-out.ts';
import type { LayerSource } from './layer-source.ts';
import { treeLayout } from './layouts/tree.ts';
import { type FoundSkill, layoutName, nameSkills } from './name-skills.ts';
import { Remarks } from './remarks.ts';
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
  /** Which of two namesakes keeps the name. */
  readonly precedence?: PrecedenceName;
  /** Counts tokens; null, as where nothing is said: nothing is counted. */
  readonly counter?: TokenCounter | null;
  /** Reports of earlier builds; null, as where nothing is said: every skill is compiled. */
  readonly known?: KnownReports | null;
}

/** Compiles one tree as a layer, its skills at any depth. */
export function compileLayer(
  layer: Layer,
  tree: SourceTree,
  sink: BlobSink,
  options: CompileOptions = {},
): Promise<CompiledLayer> {
  return compileSources(layer, [{ tree, layout: treeLayout, trust: usualTrust(layer) }], sink, options);
}

/** Compiles a layer from its sources. Bad skills are reported and left out; the others always load. */
export async function compileSources(
  layer: Layer,
  sources: readonly LayerSource[],
  sink: BlobSink,
  options: CompileOptions = {},
): Promise<CompiledLayer> {
  const precedence = PRECEDENCES[options.precedence ?? 'skilledge'];
  const { counter = null, known = null } = options;
  const remarks = new Remarks();
  const laid = await layOut(sources, remarks);
  const found: FoundSkill[] = [];
  const notLoaded: string[] = [];
  const stored = new Set<string>();
  for (const [index, one] of laid.entries()) {
    const compiled = await compileFolder(one.definition, counter, known);
    remarks.add(compiled.diagnostics);
    const described = precedence.described.includes(one.definition.provider);
    const placed = compiled.skill ? place(one, compiled.skill, described) : null;
    if (placed && !('code' in placed)) {
      await storeFolder(compiled, stored, sink);
      found.push(placed);
    } else {
      if (placed) remarks.add([placed]);
      if (placed?.severity !== 'info') notLoaded.push(compiled.folder);
    }
    options.progress?.(index + 1, laid.length);
  }

  const named = nameSkills(layer, found, precedence, counter);
  remarks.add(named.diagnostics);
  const catalog = buildCatalog(layer, named.entries, named.gates);
  const index = buildListingIndex(named.entries, recountWith(counter));
  const { shards, branches, root } = catalog;
  for (const node of [...shards, ...branches, root, ...index.pages, index.root]) await putText(sink, node);
  return {
    layer,
    catalog: root.digest,
    index: index.root.digest,
    skills: named.entries.length,
    files: stored.size,
    merged: named.merged,
    clashes: named.clashes,
    notLoaded,
    diagnostics: remarks.all,
  };
}

function recountWith(counter: TokenCounter | null): Recount {
  return (texts) => counter && countPieces(counter.count, textPieces(prepareTexts(texts)));
}

/** A loaded skill as it goes into the catalog, or why it does not. */
function place(
  { definition, source, position }: LaidSkill,
  skill: CompiledSkill,
  mustBeDescribed: boolean,
): FoundSkill | Diagnostic {
  const { path } = definition.skillFile;
  const described = !skill.diagnostics.some(({ code }) => code === 'description-missing');
  const name = layoutName(definition, skill.name);
  const choice = source.choose?.({ name, path: belowRoot(definition.folder, source.root) });
  if (choice && 'off' in choice) return diagnostic('skill-off', path, 1, `"${name}" ${choice.off}`);
  if (mustBeDescribed && !described)
    return diagnostic('description-required', path, 1, `"${name}" has no description: not loaded`);
  const hidden = definition.listed === 'if-described' && !described && skill.fields.whenToUse === null;
  const wished: ListingState = choice?.listing ?? 'auto';
  return {
    definition,
    skill: forCatalog(skill),
    name,
    listing: hidden ? strictest('unlisted', wished) : wished,
    flag: choice?.flag ?? null,
    trust: source.trust,
    source: position,
    realPath: source.realPath?.(definition) ?? null,
  };
}

function belowRoot(folder: string, root: string | undefined): string {
  return root === undefined || root === '' ? folder : folder.slice(root.length + 1);
}

/** Stores what a folder gave. A file that belongs to several skills is stored for the first of them. */
export async function storeFolder(
  { skill, files }: CompiledFolder,
  stored: Set<string>,
  sink: BlobSink,
): Promise<void> {
  for (const { treePath, sha256, bytes } of files) {
    // A command lies under another name than SKILL.md, and may be a file of a skill around it, too.
    const isCommand = sha256 === skill?.skillFile.sha256 && !isSkillFile(treePath);
    if (stored.has(treePath) && !isCommand) continue;
    stored.add(treePath);
    await sink.put(sha256, bytes, isCommand || isSkillFile(treePath) ? 'hot' : 'cold');
  }
  for (const document of skill ? [skill.revision, skill.report] : []) await putText(sink, document);
}

function isSkillFile(path: string): boolean {
  return path === SKILL_FILE_NAME || path.endsWith(`/${SKILL_FILE_NAME}`);
}

async function putText(sink: BlobSink, document: Document): Promise<void> {
  await sink.put(document.digest, new TextEncoder().encode(document.text), 'hot');
}
