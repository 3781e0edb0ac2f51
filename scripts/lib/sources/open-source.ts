import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { usualTrust } from '../../../src/catalog/provenance.ts';
import type { LayerSource } from '../../../src/compile/layer-source.ts';
import { CONVENTIONS, isProjectPath } from '../../../src/compile/layouts/project.ts';
import type { SourceTree } from '../../../src/compile/source-tree.ts';
import { diskTree } from '../disk-tree.ts';
import { mountTree } from '../mount-tree.ts';
import { chooser, type Choices } from './choose.ts';
import { gitIgnored } from './git-ignored.ts';
import { layoutOf } from './layout-of.ts';
import type { SourcePlan } from './source-plan.ts';

export interface OpenOptions {
  /** Globs for every source. */
  readonly ignore: readonly string[];
  readonly choices: Choices;
}

/** Opens the folders of a build, in their order, each where its paths differ from those of the layer's others. */
export function openSources(
  plans: readonly SourcePlan[],
  options: OpenOptions,
): { plan: SourcePlan; source: LayerSource }[] {
  const taken = new Map<string, Set<string>>();
  return plans.map((plan) => {
    const alone = plans.filter(({ layer }) => layer === plan.layer).length === 1;
    const labels = taken.get(plan.layer) ?? new Set<string>();
    taken.set(plan.layer, labels);
    const root = alone ? '' : freeLabel(plan, labels);
    labels.add(root);
    return { plan, source: openSource(plan, root, options) };
  });
}

function openSource(plan: SourcePlan, root: string, { ignore, choices }: OpenOptions): LayerSource {
  const { layer, directory, provider, trust = usualTrust(layer), layout = 'tree' } = plan;
  const listed = diskTree(directory, {
    ignore: [...ignore, ...(plan.ignore ?? [])],
    ...(plan.within === undefined ? {} : { within: plan.within }),
    ...(layout === 'project' ? { skipFolder: foreignFolders(directory) } : {}),
  });
  const tree = layout === 'project' ? projectPart(listed) : listed;
  return {
    tree: root === '' ? tree : mountTree(tree, root),
    layout: layoutOf(plan),
    root,
    trust,
    ...(provider === undefined ? {} : { provider }),
    choose: chooser(plan, choices),
    realPath: ({ skillFile }) =>
      realPathOf(join(directory, root === '' ? skillFile.path : skillFile.path.slice(root.length + 1))),
  };
}

/** `.claude` and its like. */
const AGENT_FOLDERS: ReadonlySet<string | undefined> = new Set(
  CONVENTIONS.map(({ folder }) => folder.split('/')[0]),
);

/** Folders that git ignores; those of the agents themselves are often ignored, and looked into all the same. */
function foreignFolders(directory: string): (path: string) => boolean {
  const ignored = gitIgnored(directory);
  return (path) => !path.split('/').some((segment) => AGENT_FOLDERS.has(segment)) && ignored(path);
}

/** A project is mostly other things than skills, which nobody needs to hash. */
function projectPart({ files, diagnostics }: SourceTree): SourceTree {
  return {
    files: files.filter(({ path }) => isProjectPath(path)),
    diagnostics: diagnostics.filter(({ path }) => isProjectPath(`${path}/`)),
  };
}

function freeLabel({ label, directory }: SourcePlan, taken: ReadonlySet<string>): string {
  const wanted = label ?? basename(directory);
  let free = wanted;
  for (let number = 2; taken.has(free); number += 1) free = `${wanted}-${number}`;
  return free;
}

function realPathOf(file: string): string | null {
  try {
    return realpathSync.native(file);
  } catch {
    // A prompt of a snapshot has no file of its own.
    return null;
  }
}
