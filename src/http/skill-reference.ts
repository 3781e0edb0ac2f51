import type { FoundSkill } from '../view/find-skill.ts';

/** A skill of a view as an answer names it. */
export function skillReference({ entry, layer }: FoundSkill) {
  return { name: entry.name, layer: layer.layer, revision: entry.revision };
}
