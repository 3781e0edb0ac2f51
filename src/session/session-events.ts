import { EVENT_LIMITS } from '../core/limits.ts';
import { listingFitted, type SkillActivated, type SkillEvent } from '../invoke/event.ts';
import type { ListCall, TouchCall, Touched } from '../invoke/sessions/session-contract.ts';
import type { NewSkills } from '../view/listing/list-new-skills.ts';
import { type MergedListing, skillKey } from '../view/listing/merge-listing.ts';

/** Of the skills that touched paths woke, one each; no more than one call may write. */
export function activationEvents(
  activated: Touched['activated'],
  { skills }: MergedListing,
  { agent }: TouchCall,
): SkillActivated[] {
  if (activated.length === 0) return [];
  const woken = activated.slice(0, EVENT_LIMITS.activatedAtOnce);
  const keys = new Set(woken.map(({ layer, name }) => skillKey(layer, name)));
  return skills
    .filter(({ entry, layer }) => keys.has(skillKey(layer, entry.name)))
    .map(({ entry, layer }) => {
      return {
        kind: 'skill_activated',
        skill: entry.name,
        layer,
        revision: entry.revision,
        trigger: 'path',
        context: 'listing',
        outcome: 'activated',
        code: null,
        agent,
        run: null,
        tokens: 0,
        milliseconds: 0,
        session: true,
        slash: false,
      };
    });
}

/** Of a listing of a session: that it had too little room, and that it told of a change. */
export function listingEvents(
  { agent, contextWindow, refresh, wishes }: ListCall,
  { used, budget, counts, added, changed, gone }: Omit<NewSkills, 'shown' | 'missing'>,
  isInitial: boolean,
): SkillEvent[] {
  const { profile, unit } = wishes;
  const room = { budget, used, unit, contextWindow };
  const events: SkillEvent[] = listingFitted(room, counts, { profile, agent, session: true });
  if (isInitial || added.length + changed.length + gone.length === 0) return events;
  const change = { added: added.length, changed: changed.length, gone: gone.length };
  return [...events, { kind: 'skills_changed', agent, ...change, refreshed: refresh }];
}
