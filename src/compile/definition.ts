import type { PluginFacts, Provider, SkillKind } from '../catalog/provenance.ts';
import type { Diagnostic } from '../format/diagnostic.ts';
import type { SkillFolder } from './skill-folder.ts';
import type { TreeIndex } from './tree-index.ts';

/** How a skill gets its catalog name: fixed by where it lies, or its own (else its folder's) behind a prefix. */
export type NameRule = { readonly fixed: string } | { readonly prefix: string };

/** A skill as a layout finds it, before anything of it is read. */
export interface SkillDefinition extends SkillFolder {
  readonly kind: SkillKind;
  readonly name: NameRule;
  readonly provider: Provider;
  /** The folder, relative to the layout's root, below which it is active; null: everywhere. */
  readonly scope: string | null;
  /** Commands of plugins are shown to models only where their author described them. */
  readonly listed: 'always' | 'if-described';
  readonly plugin: PluginFacts | null;
}

export interface Laid {
  readonly definitions: readonly SkillDefinition[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A way to read a tree: where in it skills lie, below `root` (`''` is the tree itself). */
export type Layout = (index: TreeIndex, root: string) => Promise<Laid> | Laid;

/** What most definitions are: a skill under its own name, active everywhere. */
export function plainDefinition(
  folder: SkillFolder,
  more: Partial<Omit<SkillDefinition, keyof SkillFolder>> = {},
): SkillDefinition {
  return {
    ...folder,
    kind: 'skill',
    name: { prefix: '' },
    provider: 'native',
    scope: null,
    listed: 'always',
    plugin: null,
    ...more,
  };
}
