import { digestOf } from '../core/digest.ts';
import type { SkillStates } from './settings/skill-states.ts';
import type { View } from './view.ts';

/** The same view with somebody's further word on where skills stand, which can only take away. */
export function narrowView(view: View, states: SkillStates): View {
  if (Object.keys(states).length === 0) return view;
  const fingerprint = digestOf(JSON.stringify([view.fingerprint, states]));
  return { ...view, states: [...view.states, states], fingerprint };
}

const narrowed = new WeakMap<View, Map<string, View>>();

/** What the organisation's settings leave of a view for one of its agents; the view itself where they say nothing. */
export function viewForAgent(view: View, agent: string): View {
  const { agents } = view.settings;
  const said = Object.hasOwn(agents, agent) ? agents[agent] : undefined;
  if (!said) return view;
  const known = narrowed.get(view) ?? new Map<string, View>();
  narrowed.set(view, known);
  const before = known.get(agent);
  if (before) return before;
  const made = narrowView(view, said.states);
  known.set(agent, made);
  return made;
}
