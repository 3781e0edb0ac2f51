import { isTouched, touchedPaths } from '../listing/touched-paths.ts';
import { relevance } from '../listing/relevance.ts';
import type { MergedSkill } from './merge-listing.ts';

/** What a request says of its moment. */
export interface Moment {
  /** Models, or people with a menu. */
  readonly audience: 'model' | 'user';
  /** Paths that were touched, relative to the project. */
  readonly paths: readonly string[];
  /** What the host is, in lower case; null where it does not say. */
  readonly platform: string | null;
  readonly product: string | null;
  /** Whether the host can load a body when one is wanted. */
  readonly loadsBodies: boolean;
  /** What is to be done, in words; empty where nothing is said. */
  readonly query: string;
}

export type UnlistedReason =
  | 'model-invocation-disabled'
  | 'user-invocation-disabled'
  | 'waits-for-path'
  | 'manual'
  | 'other-platform'
  | 'other-product'
  | 'host-loads-no-bodies';

export interface ChosenSkills {
  /** In the order of lines. `rank` 0 is the last to lose its text. */
  readonly listed: readonly { readonly skill: MergedSkill; readonly rank: number }[];
  readonly unlisted: readonly { readonly skill: MergedSkill; readonly reason: UnlistedReason }[];
}

/** Which skills a listing speaks of, and which of them matter most: pinned, path-active, relevant, then as they are printed. */
export function chooseSkills(skills: readonly MergedSkill[], moment: Moment): ChosenSkills {
  const touched = touchedPaths(moment.paths);
  const listed: { skill: MergedSkill; active: boolean }[] = [];
  const unlisted: { skill: MergedSkill; reason: UnlistedReason }[] = [];
  for (const skill of skills) {
    const active = skill.listing === 'conditional' && isTouched(skill.entry, touched);
    const reason =
      hiddenFromHost(skill, moment) ??
      (moment.audience === 'user' ? hiddenFromPeople(skill) : hiddenFromModels(skill, active));
    if (reason === null) listed.push({ skill, active });
    else unlisted.push({ skill, reason });
  }
  const scores = relevance(
    moment.query,
    listed.map(({ skill }) => skill.entry),
  );
  const places = listed.map(({ skill, active }, at) => ({
    at,
    group: skill.pinned ? 0 : active ? 1 : 2,
    score: scores[at] ?? 0,
  }));
  const best = places.toSorted(
    (left, right) => left.group - right.group || right.score - left.score || left.at - right.at,
  );
  const ranks = new Map(best.map(({ at }, rank) => [at, rank]));
  return { listed: listed.map(({ skill }, at) => ({ skill, rank: ranks.get(at) ?? at })), unlisted };
}

function isFor(hosts: readonly string[], host: string | null): boolean {
  return hosts.length === 0 || (host !== null && hosts.includes(host));
}

/** What cannot run or be read there is no use to anyone there. */
function hiddenFromHost({ entry }: MergedSkill, moment: Moment): UnlistedReason | null {
  if (!moment.loadsBodies) return 'host-loads-no-bodies';
  if (!isFor(entry.platforms, moment.platform)) return 'other-platform';
  return isFor(entry.products, moment.product) ? null : 'other-product';
}

function hiddenFromModels({ listing }: MergedSkill, active: boolean): UnlistedReason | null {
  if (listing === 'manual') return 'model-invocation-disabled';
  if (listing === 'unlisted') return 'manual';
  return listing === 'conditional' && !active ? 'waits-for-path' : null;
}

/** People see whatever they may start: a menu costs no context. */
function hiddenFromPeople({ entry }: MergedSkill): UnlistedReason | null {
  return entry.userInvocable ? null : 'user-invocation-disabled';
}
