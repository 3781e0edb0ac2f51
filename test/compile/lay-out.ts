import type { Laid, Layout } from '../../src/compile/definition.ts';
import { layoutName } from '../../src/compile/name-skills.ts';
import { TreeIndex } from '../../src/compile/tree-index.ts';
import { treeOf } from './trees.ts';

/** What a layout finds in a tree, by the names that it gives; `own` is what a frontmatter would say. */
export async function layOutTree(
  layout: Layout,
  files: Readonly<Record<string, string | Uint8Array>>,
  root = '',
): Promise<{ laid: Laid; names: string[]; codes: string[] }> {
  const laid = await layout(new TreeIndex(treeOf(files).files), root);
  return {
    laid,
    names: laid.definitions.map((definition) => {
      const { folder, kind, scope } = definition;
      return `${kind} ${layoutName(definition, '<own>')} = ${folder}${scope === null ? '' : ` below ${scope}`}`;
    }),
    codes: laid.diagnostics.map(({ path, line, code }) => `${path}:${line} ${code}`),
  };
}
