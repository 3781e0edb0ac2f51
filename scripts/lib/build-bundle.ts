import type { Layer } from '../../src/catalog/layers.ts';
import { type CompiledLayer, compileLayer } from '../../src/compile/compile-layer.ts';
import type { Diagnostic } from '../../src/format/diagnostic.ts';
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

/** Compiles source trees into one bundle folder. */
export async function buildBundle(
  sources: readonly Source[],
  output: string,
  ignore: readonly string[],
  progress: (layer: Layer, done: number, all: number) => void = () => {},
): Promise<BuildResult> {
  const started = performance.now();
  const writer = writeBundle(output);
  const layers: CompiledLayer[] = [];
  for (const { layer, directory } of sources) {
    const tree = diskTree(directory, { ignore });
    layers.push(
      await compileLayer(layer, tree, writer.sinkFor(layer), {
        progress: (done, all) => progress(layer, done, all),
      }),
    );
  }
  const totals = writer.finish(layers);
  return { ...totals, layers, milliseconds: Math.round(performance.now() - started) };
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
