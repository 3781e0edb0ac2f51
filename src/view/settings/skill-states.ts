import { z } from 'zod';
import type { Layer } from '../../catalog/layers.ts';
import { LISTING_LIMITS } from '../../core/limits.ts';

/**
 * - `pinned`: ranks first and keeps its text longest; `auto`: as its author says; `name-only`: listed without text.
 * - `manual`: not listed to models, but there for who knows its name; `off`: neither listed nor found.
 */
export const SkillState = z.enum(['pinned', 'auto', 'name-only', 'manual', 'off']);
export type SkillState = z.infer<typeof SkillState>;

/** Skills by name, or `layer/name`, with where they stand; the layer's word comes first. */
export const SkillStates = z
  .record(z.string().min(1).max(LISTING_LIMITS.statedNameCharacters), SkillState)
  .refine((states) => Object.keys(states).length <= LISTING_LIMITS.statedSkills, 'too many skills');
export type SkillStates = z.infer<typeof SkillStates>;

/** From what hides nothing to what hides all. A pin hides nothing, and is lost as soon as anybody hides something. */
const STRICTNESS: readonly SkillState[] = ['auto', 'pinned', 'name-only', 'manual', 'off'];

/**
 * Where a skill stands after the words of several, such as an organisation, its settings for an agent, and a request.
 * Each can hide what the others show, and none can show what another hides: an agent's label is what a caller says.
 */
export function strictestState(said: readonly SkillStates[], layer: Layer, name: string): SkillState {
  const strictness = said.map((states) => STRICTNESS.indexOf(stateIn(states, layer, name)));
  return STRICTNESS[Math.max(0, ...strictness)] ?? 'auto';
}

function stateIn(states: SkillStates, layer: Layer, name: string): SkillState {
  const qualified = `${layer}/${name}`;
  const said = Object.hasOwn(states, qualified) ? states[qualified] : undefined;
  return said ?? (Object.hasOwn(states, name) ? states[name] : undefined) ?? 'auto';
}
