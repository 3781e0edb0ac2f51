import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import type { Layer } from '../catalog/layers.ts';
import type { Revision } from '../catalog/revision.ts';
import {
  catalogEntry,
  type CompiledSkill,
  compileSkill,
  type SkillContent,
} from '../compile/compile-skill.ts';
import { countPieces, headPieces } from '../listing/counted-pieces.ts';
import { printedHead } from '../listing/listing-entry.ts';
import { claimedCounter } from './claimed-counter.ts';

/**
 * The skill of a row, compiled from its files, and the row that it has where the given one says it lies. Null where it is
 * another revision.
 */
export function compileRow(
  layer: Layer,
  entry: CatalogEntry,
  revision: Revision,
  contents: readonly SkillContent[],
): { skill: CompiledSkill; row: CatalogEntry } | null {
  // A name that the frontmatter does not give comes from the folder, and stands in the revision.
  const counter = entry.tokens && claimedCounter([entry.tokens.body, ...entry.tokens.listing]);
  const { skill } = compileSkill(contents, revision.name, counter);
  if (!skill || skill.name !== revision.name || skill.revision.digest !== entry.revision) return null;
  const head = counter && countPieces(counter.count, headPieces(printedHead(entry, layer)));
  return { skill, row: catalogEntry(skill, { ...entry, head }) };
}
