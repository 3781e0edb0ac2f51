import type { Layer } from '../catalog/layers.ts';
import type { Trust } from '../catalog/provenance.ts';
import type { ProblemCode } from '../core/problem.ts';
import type { ListingState } from '../listing/fit-listing.ts';
import type { Listing, Profile } from '../view/listing/list-skills.ts';
import type { EngineName } from '../model/model-choice.ts';
import type { Verdict } from '../scan/finding.ts';
import type { Actor } from '../view/token.ts';
import type { View } from '../view/view.ts';
import type { Trigger } from './decide-skill.ts';
import type { StopReason } from './runs/run-contract.ts';

/**
 * - `activated`: handed out, started as a run, or listed from now on.
 * - `waiting`: the host has to run its commands first; the call that brings what they gave has an event of its own.
 * - `asked`: a person has to say.
 * - `denied`: by a rule, by the skill itself or by a person.
 * - `refused`: it cannot be done, and the code says why.
 * - `failed`: the deployment is at fault.
 */
export type Outcome = 'activated' | 'waiting' | 'asked' | 'denied' | 'refused' | 'failed';

/** A skill was wanted, with whatever came of it. One for every call that names a skill, and one for a skill that a path woke. */
export type SkillActivated = {
  readonly kind: 'skill_activated';
  /** As the catalog has it. Where there is none, the first word that the caller wrote: arguments may stand behind it. */
  readonly skill: string;
  /** Null, as is the revision, where no skill was found. */
  readonly layer: Layer | null;
  readonly revision: string | null;
  readonly trigger: Trigger;
  /** `listing`: it is only told of, by the next listing of the session. Null where nobody knows. */
  readonly context: 'inline' | 'fork' | 'listing' | null;
  readonly outcome: Outcome;
  readonly code: ProblemCode | null;
  readonly agent: string;
  /** Id of the run; several events with the same one are repeats of one request. */
  readonly run: string | null;
  /** An estimate of what the caller's conversation got. */
  readonly tokens: number;
  /** Time that passed in waits: a Worker's clock stands still while it computes. */
  readonly milliseconds: number;
  /** The call named a session. */
  readonly session: boolean;
  /** It was named with a leading `/`. */
  readonly slash: boolean;
};

/** A listing had too little room. Not where everything fitted, nor where one was answered from memory. */
export type ListingFitted = {
  readonly kind: 'listing_fitted';
  readonly profile: Profile;
  readonly unit: Listing['unit'];
  /** The worst that happened to any skill. */
  readonly mode: Exclude<ListingState, 'full'>;
  /** Null where nobody said. */
  readonly agent: string | null;
  /** In the unit, as is `used`. */
  readonly budget: number;
  readonly used: number;
  /** In tokens; null where it is unknown. */
  readonly contextWindow: number | null;
  readonly full: number;
  readonly shortened: number;
  readonly nameOnly: number;
  readonly omitted: number;
  readonly session: boolean;
};

/** An agent of a session was told that its skills are others by now. In numbers of skills. */
export type SkillsChanged = {
  readonly kind: 'skills_changed';
  readonly agent: string;
  readonly added: number;
  readonly changed: number;
  readonly gone: number;
  /** The session moved on to the catalogs of now. */
  readonly refreshed: boolean;
};

/** A search was answered. What was looked for is nobody's business. */
export type SkillsSearched = {
  readonly kind: 'skills_searched';
  readonly agent: string | null;
  readonly terms: number;
  readonly results: number;
  readonly milliseconds: number;
};

/** A skill was not published, and waits for a person. */
export type SkillHeld = {
  readonly kind: 'skill_held';
  readonly skill: string;
  readonly layer: Layer;
  readonly revision: string;
  readonly origin: Trust;
  readonly verdict: Verdict;
  readonly decision: 'ask' | 'block';
  /** What published it says of its holder. */
  readonly actor: Actor;
  /** False: the scan did not look at all of it. */
  readonly complete: boolean;
};

/** A run has ended, however. */
export type RunEnded = {
  readonly kind: 'run_ended';
  readonly skill: string;
  readonly layer: Layer;
  readonly revision: string;
  readonly run: string;
  readonly agent: string;
  readonly engine: EngineName;
  readonly stopReason: StopReason;
  readonly turns: number;
  readonly toolCalls: number;
  /** Of all models, whatever their kind. */
  readonly tokens: number;
  /** US dollars; null where there are no prices. */
  readonly cost: number | null;
  /** From its start to its end, waits included. */
  readonly milliseconds: number;
  /** A run inside of another one. */
  readonly nested: boolean;
};

/** Never a skill's text, arguments, paths, queries or who holds the token. */
export type SkillEvent =
  | SkillActivated
  | ListingFitted
  | SkillsChanged
  | SkillsSearched
  | SkillHeld
  | RunEnded;

/** Whose event it is, and whether its names may be told. A view is one. */
export type EventOrigin = Pick<View, 'organisation'> & {
  readonly settings: Pick<View['settings'], 'events'>;
};

/** Takes notice of events: never waited for, and never a reason for a request to fail. */
export interface EventLog {
  emit(origin: EventOrigin, event: SkillEvent): void;
}

/** The event of a listing, where it had too little room. */
export function listingFitted(
  { budget, used, unit, contextWindow }: Pick<Listing, 'budget' | 'used' | 'unit' | 'contextWindow'>,
  { full, shortened, nameOnly, omitted }: Readonly<Record<ListingState, number>>,
  asked: Pick<ListingFitted, 'profile' | 'agent' | 'session'>,
): ListingFitted[] {
  if (shortened + nameOnly + omitted === 0) return [];
  const cut = nameOnly > 0 ? 'nameOnly' : 'shortened';
  const mode = omitted > 0 ? 'omitted' : cut;
  const room = { budget, used, unit, contextWindow };
  return [{ kind: 'listing_fitted', mode, ...room, full, shortened, nameOnly, omitted, ...asked }];
}
