import type { Layer } from '../../src/catalog/layers.ts';
import type { PrecedenceName } from '../../src/catalog/precedence.ts';
import { type CompiledLayer, compileSources } from '../../src/compile/compile-layer.ts';
import type { Diagnostic } from '../../src/format/diagnostic.ts';
import { hasMemory, inputsDigest, recallBuild, RecordedTree, rememberBuild } from './build-memory.ts';
import { type BundleTotals, writeBundle } from './bundle.ts';
import type { Choices } from './sources/choose.ts';
import { openReports } from './report-memory.ts';
import { loadTokenCounter } from './token-counter.ts';
import { openSources } from './sources/open-source.ts';
import type { SourcePlan } from './sources/source-plan.ts';

export interface BuildResult extends BundleTotals {
  readonly layers: readonly CompiledLayer[];
  readonly milliseconds: number;
}

/** What is said about the skills beside where they lie. */
export interface BuildSettings {
  readonly precedence: PrecedenceName;
  readonly choices: Choices;
}

const NOTHING_SAID: BuildSettings = { precedence: 'skilledge', choices: { flags: [], skills: {} } };

/**
 * Compiles source trees into one bundle folder. Where the folder already holds the bundle of the very same inputs, by the
 * digest of every file, nothing is compiled or written; else only skills are compiled, counted and scanned that it does not
 * hold.
 */
export async function buildBundle(
  sources: readonly SourcePlan[],
  output: string,
  ignore: readonly string[],
  progress: (layer: Layer, done: number, all: number) => void = () => {},
  settings: BuildSettings = NOTHING_SAID,
): Promise<BuildResult> {
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const opened = openSources(sources, { ignore, choices: settings.choices }).map(({ plan, source }) => ({
    plan,
    source,
    tree: new RecordedTree(source.tree),
  }));
  const trees = opened.map(({ tree }) => tree);
  // Where a source lies does not matter, only what it holds and how it is read.
  const said = [opened.map(({ plan, source }) => [{ ...plan, directory: source.root }]), ignore, settings];
  if (hasMemory(output)) {
    const known = recallBuild(output, await inputsDigest(trees, said));
    if (known) return { ...known, milliseconds: elapsed() };
  }
  const counter = await loadTokenCounter();
  // Read from the bundle that the next line removes.
  const known = openReports(output);
  const writer = writeBundle(output);
  const layers: CompiledLayer[] = [];
  for (const layer of new Set(sources.map((source) => source.layer))) {
    const own = opened
      .filter(({ plan }) => plan.layer === layer)
      .map(({ source, tree }) => ({ ...source, tree }));
    layers.push(
      await compileSources(layer, own, writer.sinkFor(layer), {
        precedence: settings.precedence,
        counter,
        known,
        progress: (done, all) => progress(layer, done, all),
      }),
    );
  }
  const outcome = { ...writer.finish(layers), layers };
  known.keep(output);
  rememberBuild(output, await inputsDigest(trees, said), {
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
