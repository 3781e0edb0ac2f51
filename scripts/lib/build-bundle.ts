import type { Layer } from '../../src/catalog/layers.ts';
import { type CompiledLayer, compileLayer } from '../../src/compile/compile-layer.ts';
import type { Diagnostic } from '../../src/format/diagnostic.ts';
import { hasMemory, inputsDigest, recallBuild, RecordedTree, rememberBuild } from './build-memory.ts';
import { type BundleTotals, writeBundle } from './bundle.ts';
import { diskTree } from './disk-tree.ts';

export interface Source {
  readonly layer: Layer;
  readonly directory: string;
}

export interface BuildResult extends BundleTotals {
  readonly layers: readonly CompiledLayer[];
  readonly milliseconds: number;
}

/**
 * Compiles source trees into one bundle folder. Where the folder already holds the bundle of the very same inputs, by the
 * digest of every file, nothing is compiled or written.
 */
export async function buildBundle(
  sources: readonly Source[],
  output: string,
  ignore: readonly string[],
  progress: (layer: Layer, done: number, all: number) => void = () => {},
): Promise<BuildResult> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const trees = sources.map(({ directory }) => new RecordedTree(diskTree(directory, { ignore })));
  const settings = [sources.map(({ layer }) => layer), ignore];
  if (hasMemory(output)) {
    const known = recallBuild(output, await inputsDigest(trees, settings));
    if (known) return { ...known, milliseconds: elapsed() };
  }
  const writer = writeBundle(output);
  const layers: CompiledLayer[] = [];
  for (const [index, { layer }] of sources.entries()) {
    const tree = trees[index];
    if (!tree) continue;
    const options = { progress: (done: number, all: number) => progress(layer, done, all) };
    layers.push(await compileLayer(layer, tree, writer.sinkFor(layer), options));
  }
  const outcome = { ...writer.finish(layers), layers };
  rememberBuild(output, await inputsDigest(trees, settings), {
    ...outcome,
    layers: layers.map((layer) => ({
      ...layer,
      notLoaded: [...layer.notLoaded],
      diagnostics: [...layer.diagnostics],
    })),
  });
  return { ...outcome, milliseconds: elapsed() };
}

/** The one object that `--json` prints. */
export function buildSummary(result: BuildResult): Record<string, unknown> {
  const sum = (of: (layer: CompiledLayer) => number): number =>
    result.layers.reduce((total, layer) => total + of(layer), 0);
  const diagnostics = result.layers.flatMap((layer) => layer.diagnostics);
  const count = (severity: Diagnostic['severity']): number =>
    diagnostics.filter((entry) => entry.severity === severity).length;
  return {
    skills: sum((layer) => layer.skills),
    files: sum((layer) => layer.files),
    blobs: result.blobs,
    bytes: result.bytes,
    duplicateBytesSaved: result.duplicateBytesSaved,
    merged: sum((layer) => layer.merged),
    clashes: sum((layer) => layer.clashes),
    notLoaded: sum((layer) => layer.notLoaded.length),
    diagnostics: { error: count('error'), warning: count('warning'), info: count('info') },
    catalogs: Object.fromEntries(result.layers.map((layer) => [layer.layer, layer.catalog])),
    ms: result.milliseconds,
  };
}
