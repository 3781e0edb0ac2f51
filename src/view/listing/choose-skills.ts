import type { Requirement } from '../../catalog/requirement.ts';
import { LISTING_LIMITS } from '../../core/limits.ts';
import { type PreparedEntry, prepareEntry } from '../../listing/listing-entry.ts';
import { relevance } from '../../listing/relevance.ts';
import { isTouched, patternsOf, touchedPaths } from '../../listing/touched-paths.ts';
import { type Inventory, missingRequirements } from './host-inventory.ts';
import { type MergedSkill, skillKey } from './merge-listing.ts';
import { markMissing } from './missing-requirements.ts';

/** What a request says of its moment. */
export interface Moment {
  /** Models, or people with a menu. */
  readonly audience: 'model' | 'user';
  /** Paths that were touched, relative to the project. */
  readonly paths: readonly string[];
  /** Skills, as `layer/name`, whose paths were touched before: what was activated stays. */
  readonly activated: ReadonlySet<string>;
  /** What the host is, in lower case; null where it does not say. */
  readonly platform: string | null;
  readonly product: string | null;
  /** Whether the host can load a body when one is wanted. */
  readonly loadsBodies: boolean;
  /** What is to be done, in words; empty where nothing is said. */
  readonly query: string;
  /** Whether skills that wait for a path are listed with that path, so that a model knows of them. */
  readonly announce: boolean;
  /** What the host has, and whether skills that need something else are left out; null where nobody looks at that. */
  readonly requirements: { readonly inventory: Inventory; readonly hide: boolean } | null;
}

export type UnlistedReason =
  | 'model-invocation-disabled'
  | 'user-invocation-disabled'
  | 'waits-for-path'
  | 'manual'
  | 'other-platform'
  | 'other-product'
  | 'requirement-missing'
  | 'host-loads-no-bodies';

export interface ListedSkill {
  readonly skill: MergedSkill;
  /** What is printed of it: its own texts, or what it waits for, with what the host lacks for it. */
  readonly prepared: PreparedEntry;
  readonly missing: readonly Requirement[];
  readonly announced: boolean;
  /** 0 is the last to lose its text. */
  readonly rank: number;
}

export interface ChosenSkills {
  /** In the order of lines. */
  readonly listed: readonly ListedSkill[];
  /** Listed skills with a rank below this keep their text while others still have names. */
  readonly favoured: number;
  readonly unlisted: readonly UnlistedSkill[];
}

export interface UnlistedSkill {
  readonly skill: MergedSkill;
  readonly missing: readonly Requirement[];
  readonly reason: UnlistedReason;
}

/**
 * Which skills a listing speaks of, and which of them matter most: pinned, path-active, relevant, used, then as they are
 * printed; what is only announced comes last. The first two and the most relevant are favoured.
 */
export function chooseSkills(skills: readonly MergedSkill[], moment: Moment): ChosenSkills {
  const touched = touchedPaths(moment.paths);
  const listed: (Omit<ListedSkill, 'rank'> & { group: number })[] = [];
  const unlisted: UnlistedSkill[] = [];
  for (const skill of skills) {
    const { requirements } = moment;
    const missing = requirements ? missingRequirements(skill.entry.requires, requirements.inventory) : [];
    const active = skill.listing === 'conditional' && isActive(skill, touched, moment.activated);
    const reason =
      hiddenFromHost(skill, moment, missing) ??
      (moment.audience === 'user' ? hiddenFromPeople(skill) : hiddenFromModels(skill, active));
    const announced = moment.announce && reason === 'waits-for-path';
    if (reason !== null && !announced) {
      unlisted.push({ skill, missing, reason });
      continue;
    }
    const prepared = markMissing(announced ? announcement(skill) : skill.prepared, missing);
    const group = announced ? 3 : skill.pinned ? 0 : active ? 1 : 2;
    listed.push({ skill, prepared, missing, announced, group });
  }
  const scores = relevance(
    moment.query,
    listed.map(({ skill }) => skill.entry),
  );
  const places = listed.map(({ skill, group }, at) => ({
    at,
    group,
    score: scores[at] ?? 0,
    used: skill.used,
  }));
  const best = places.toSorted(
    (left, right) =>
      left.group - right.group || right.score - left.score || right.used - left.used || left.at - right.at,
  );
  const ranks = new Map(best.map(({ at }, rank) => [at, rank]));
  const wanted = best.filter(({ group, score }) => group === 2 && score > 0).length;
  const chosen = best.filter(({ group }) => group < 2).length;
  return {
    listed: listed.map(({ skill, prepared, missing, announced }, at) => {
      return { skill, prepared, missing, announced, rank: ranks.get(at) ?? at };
    }),
    favoured: chosen + Math.min(wanted, LISTING_LIMITS.relevantSkills),
    unlisted,
  };
}

function isActive(
  { entry, layer }: MergedSkill,
  touched: ReturnType<typeof touchedPaths>,
  activated: ReadonlySet<string>,
): boolean {
  return activated.has(skillKey(layer, entry.name)) || isTouched(entry, touched);
}

/** The line of a skill that is not there yet. Patterns are a skill's text like any other, and are printed as such. */
function announcement({ entry, prepared }: MergedSkill): PreparedEntry {
  if (prepared.full === '') return prepared;
  const description = `available for ${patternsOf(entry).join(', ')}`;
  const texts = prepareEntry({ name: '', description, whenToUse: '', shortDescription: '', bundled: false });
  return { ...prepared, full: texts.full, plain: texts.plain, least: texts.least };
}

export function isFor(hosts: readonly string[], host: string | null): boolean {
  return hosts.length === 0 || (host !== null && hosts.includes(host));
}

/** What cannot run or be read there is no use to anyone there. */
function hiddenFromHost(
  { entry }: MergedSkill,
  moment: Moment,
  missing: readonly Requirement[],
): UnlistedReason | null {
  if (!moment.loadsBodies) return 'host-loads-no-bodies';
  if (!isFor(entry.platforms, moment.platform)) return 'other-platform';
  if (!isFor(entry.products, moment.product)) return 'other-product';
  return moment.requirements?.hide && missing.length > 0 ? 'requirement-missing' : null;
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
