import { DETECT_LIMITS } from '../core/limits.ts';
import {
  buildTriggerIndex,
  findTriggered,
  type TriggerIndex,
  type TriggeredSkill,
} from '../detect/trigger-index.ts';
import { triggerPhrases } from '../detect/trigger-phrases.ts';
import { relevance } from '../listing/relevance.ts';
import { chooseSkills, type Moment } from '../view/listing/choose-skills.ts';
import { NO_WISHES } from '../view/listing/list-skills.ts';
import type { MergedListing, MergedSkill } from '../view/listing/merge-listing.ts';

/** The skills of a view that a message can trigger: those with trigger phrases, which are ready to be looked for. */
export interface TriggerableSkills {
  readonly skills: readonly MergedSkill[];
  readonly index: TriggerIndex;
}

export interface DetectedSkill extends Pick<TriggeredSkill, 'place' | 'whole' | 'veto'> {
  readonly skill: MergedSkill;
}

export interface DetectedInMessage {
  /** The likeliest first. */
  readonly candidates: readonly DetectedSkill[];
  /** Skills that would be, and say that they are not for something that the message has as well. */
  readonly vetoed: readonly DetectedSkill[];
  /** Whether there were more of either than are named. */
  readonly more: boolean;
}

/** Skills that only people start, by their author's or anybody's word, are never triggered: they are not even looked for. */
export function triggerableSkills({ skills: all }: MergedListing): TriggerableSkills {
  const willing = all
    .filter(({ listing }) => listing !== 'manual' && listing !== 'unlisted')
    .map((skill) => ({ skill, phrases: triggerPhrases(skill.entry) }))
    .filter(({ phrases: { wanted } }) => wanted.length > 0);
  return {
    skills: willing.map(({ skill }) => skill),
    index: buildTriggerIndex(willing.map(({ phrases }) => phrases)),
  };
}

/**
 * Which skills a message calls for: those with the longest trigger phrase in it, and among those the ones whose texts
 * answer the message best. Only what a listing of the same moment would show counts.
 */
export function detectInMessage(
  { skills, index }: TriggerableSkills,
  message: string,
  moment: Pick<Moment, 'paths' | 'platform' | 'product'>,
): DetectedInMessage {
  const found = findTriggered(index, message).flatMap(({ skill: at, place, whole, veto }) => {
    const skill = skills[at];
    return skill ? [{ skill, place, whole, veto }] : [];
  });
  const chosen = chooseSkills(
    found.map(({ skill }) => skill),
    { ...NO_WISHES, announce: false, requirements: null, ...moment },
  );
  const listed = new Set(chosen.listed.map(({ skill }) => skill));
  const likely = found.filter(({ skill }) => listed.has(skill));
  const candidates = byRelevance(
    likely.filter(({ veto }) => veto === null),
    message,
  );
  const vetoed = likely.filter(({ veto }) => veto !== null);
  const limit = DETECT_LIMITS.candidates;
  return {
    candidates: candidates.slice(0, limit),
    vetoed: vetoed.slice(0, limit),
    more: candidates.length > limit || vetoed.length > limit,
  };
}

/** Sorts the first so many; the others are not named. */
function byRelevance(found: readonly DetectedSkill[], message: string): DetectedSkill[] {
  const compared = found.slice(0, DETECT_LIMITS.comparedCandidates);
  const scores = relevance(
    message,
    compared.map(({ skill }) => skill.entry),
  );
  const scored = compared.map((detected, at) => ({ detected, score: scores[at] ?? 0 }));
  const sorted = scored.toSorted(
    (left, right) => right.detected.place.words - left.detected.place.words || right.score - left.score,
  );
  return [...sorted.map(({ detected }) => detected), ...found.slice(compared.length)];
}
