import { z } from 'zod';
import { digestOf } from '../../core/digest.ts';
import { LISTING_LIMITS } from '../../core/limits.ts';
import type { ListedSkill } from './choose-skills.ts';
import {
  budgetFor,
  chooseFor,
  countStates,
  fitOwn,
  type ListingWishes,
  rankedEntries,
  unseenBy,
} from './list-skills.ts';
import { type MergedListing, skillKey } from './merge-listing.ts';
import { consolidateMissing, type MissingRequirement } from './missing-requirements.ts';
import type { View } from '../view.ts';

/** What one agent was shown so far, since its session began or was compacted. Plain data, to be stored. */
export const ShownSkills = z.strictObject({
  /** Characters that all listings took together. */
  spent: z.int().nonnegative(),
  /** Lines by `layer/name`: the name that was printed, and the identity of what it said. */
  printed: z.record(z.string(), z.strictObject({ name: z.string(), identity: z.string() })),
  /** Identities of what there was no room for; it is not new the next time. */
  omitted: z.array(z.string()),
});
export type ShownSkills = z.infer<typeof ShownSkills>;

export const NOTHING_SHOWN: ShownSkills = { spent: 0, printed: {}, omitted: [] };

export interface NewSkills {
  readonly text: string;
  /** In characters; `budget` is what the earlier listings left of `total`. */
  readonly used: number;
  readonly budget: number;
  readonly total: number;
  /** Of what is new, not of all. */
  readonly counts: ReturnType<typeof countStates>;
  readonly added: readonly string[];
  /** Listed before, and now with another text. */
  readonly changed: readonly string[];
  readonly gone: readonly string[];
  /** What the host lacks for all skills that are listed by now. */
  readonly missing: readonly MissingRequirement[];
  /** To be kept, once this was answered. */
  readonly shown: ShownSkills;
}

/**
 * What is to be listed to an agent that was shown something before: skills that are new or say something else, and the
 * names of those that are gone. All listings of an agent together stay within one budget; the first one leaves a share
 * of it, since what comes later is what somebody is at work with.
 */
export function listNewSkills(
  view: View,
  merged: MergedListing,
  contextWindow: number | null,
  wishes: ListingWishes,
  before: ShownSkills | null,
): NewSkills {
  const { omitted, spent, printed: earlier } = before ?? NOTHING_SHOWN;
  const { favoured, ...chosen } = chooseFor(view, merged, wishes);
  const listed = chosen.listed.map((item) => ({ item, ...identityOf(item) }));
  const there = new Set(listed.map(({ key }) => key));
  const printed = inheritNames(earlier, listed);
  const gone = Object.entries(printed).filter(([key]) => !there.has(key));
  const unprinted = new Set(omitted);
  const fresh = listed.filter(
    ({ key, identity }) => own(printed, key)?.identity !== identity && !unprinted.has(identity),
  );
  const total = budgetFor(view, contextWindow, wishes);
  const share = before === null ? 1 - LISTING_LIMITS.laterShare : 1;
  const budget = Math.max(0, Math.floor(total * share) - spent);
  const entries = rankedEntries(fresh.map(({ item }) => item));
  const unseen = before === null ? unseenBy(wishes, merged) : 0;
  const goneNames = gone.map(([, { name }]) => name);
  const fitted = fitOwn(view, entries, wishes, { budget, unseen, favoured, gone: goneNames });
  const outcome = fresh.map((each, at) => ({ ...each, omitted: fitted.states[at] === 'omitted' }));
  const lines = outcome.filter((each) => !each.omitted);
  const stillPrinted = Object.entries(printed).filter(([key]) => there.has(key));
  const nowPrinted = lines.map(({ key, name, identity }) => [key, { name, identity }] as const);
  const allPrinted = Object.fromEntries([...stillPrinted, ...nowPrinted]);
  const lacking = listed.flatMap(({ key, name, item: { missing } }) =>
    missing.length > 0 && own(allPrinted, key) ? [{ name, missing }] : [],
  );
  return {
    text: fitted.text,
    used: fitted.used,
    budget,
    total,
    counts: countStates(fitted.states, unseen),
    added: lines.filter(({ key }) => !own(printed, key)).map(({ name }) => name),
    changed: lines.filter(({ key }) => own(printed, key)).map(({ name }) => name),
    gone: goneNames,
    missing: consolidateMissing(lacking),
    shown: {
      spent: spent + fitted.used,
      printed: allPrinted,
      omitted: [
        ...listed.filter(({ identity }) => unprinted.has(identity)).map(({ identity }) => identity),
        ...outcome.filter((each) => each.omitted).map(({ identity }) => identity),
      ],
    },
  };
}

/** Where another layer's skill has a name by now, the line of that name is its line, with another text: it is not gone. */
function inheritNames(
  printed: ShownSkills['printed'],
  listed: readonly { readonly key: string; readonly name: string }[],
): ShownSkills['printed'] {
  const keys = new Map(listed.map(({ key, name }) => [name, key]));
  return Object.fromEntries(Object.entries(printed).map(([key, line]) => [keys.get(line.name) ?? key, line]));
}

/** Texts are hashed once for each merged view. */
const identities = new WeakMap<object, string>();
/** Of a digest: enough to tell what one skill said from what it says. */
const IDENTITY_DIGITS = 16;

function identityOf({ skill, prepared }: ListedSkill): { key: string; name: string; identity: string } {
  const key = skillKey(skill.layer, skill.entry.name);
  const identity = identities.get(prepared) ?? digestOf(`${key}\n${prepared.full}`).slice(-IDENTITY_DIGITS);
  identities.set(prepared, identity);
  return { key, name: skill.entry.name, identity };
}

function own<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
