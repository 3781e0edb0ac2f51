import { SKILL_LIMITS } from '../core/limits.ts';
import { type Diagnostic, diagnostic } from '../format/diagnostic.ts';
import { caseClashes } from './case-clashes.ts';
import type { SkillDefinition } from './definition.ts';
import type { LayerSource } from './layer-source.ts';
import type { Remarks } from './remarks.ts';
import { TreeIndex } from './tree-index.ts';

/** A skill that a layout found, and the source that it is from. */
export interface LaidSkill {
  readonly definition: SkillDefinition;
  readonly source: LayerSource;
  readonly position: number;
}

/** Looks through a layer's sources, each by its layout. Nothing is read yet but manifests. */
export async function layOut(sources: readonly LayerSource[], remarks: Remarks): Promise<LaidSkill[]> {
  const laid: LaidSkill[] = [];
  for (const [position, source] of sources.entries()) {
    const { tree, layout, root = '' } = source;
    const { definitions, diagnostics } = await layout(new TreeIndex(tree.files), root);
    remarks.add(tree.diagnostics);
    remarks.add(diagnostics);
    for (const found of definitions) {
      const tooLong = pathProblem(found);
      if (tooLong) remarks.add([tooLong]);
      else
        laid.push({
          definition: { ...found, provider: source.provider ?? found.provider },
          source,
          position,
        });
    }
  }
  remarks.add(caseClashes(laid.map(({ definition }) => definition)));
  return laid;
}

function pathProblem({ folder, skillFile }: SkillDefinition): Diagnostic | null {
  const { length } = new TextEncoder().encode(folder);
  if (length <= SKILL_LIMITS.originBytes) return null;
  const message = `the path of the skill has ${length} bytes, more than ${SKILL_LIMITS.originBytes}: not loaded`;
  return diagnostic('path-unsafe', skillFile.path, 1, message);
}
