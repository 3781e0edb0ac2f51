import { z } from 'zod';
import { type Requirement, RequirementKind } from '../../catalog/requirement.ts';
import { SESSION_LIMITS } from '../../core/limits.ts';
import { type MergedListing, skillKey } from './merge-listing.ts';

const Names = z.array(z.string().min(1).max(SESSION_LIMITS.hostNameCharacters));

/**
 * What a host says it has: names, never values. A kind that it says nothing about is unknown, and nothing of that kind is
 * ever missing; an empty list says that it has none. `skills` are those that it has beside the ones of this deployment.
 */
export const HostInventory = z
  .partialRecord(RequirementKind, Names)
  .refine(
    (has) => characters(has) <= SESSION_LIMITS.hostCharacters,
    `more than ${SESSION_LIMITS.hostCharacters} characters of names`,
  );
export type HostInventory = z.infer<typeof HostInventory>;

/** What is known to be there, by kind. Of a kind that is not in here nothing is known. */
export type Inventory = Readonly<Partial<Record<RequirementKind, ReadonlySet<string>>>>;

/** With the skills that can be found beside those of the host; null: nobody knows which there are. */
export function inventoryOf(has: HostInventory, skills: ReadonlySet<string> | null): Inventory {
  const inventory: Partial<Record<RequirementKind, ReadonlySet<string>>> = {};
  for (const kind of RequirementKind.options) {
    const names = has[kind];
    if (names !== undefined) inventory[kind] = new Set(names);
  }
  if (skills === null) delete inventory.skills;
  else inventory.skills = has.skills === undefined ? skills : new Set([...skills, ...has.skills]);
  return inventory;
}

/** Requirements of which the host has not one name. */
export function missingRequirements(
  requirements: readonly Requirement[] | undefined,
  inventory: Inventory,
): Requirement[] {
  return (requirements ?? []).filter(({ kind, oneOf }) => {
    const there = inventory[kind];
    return there !== undefined && !oneOf.some((name) => there.has(name));
  });
}

const names = new WeakMap<MergedListing, ReadonlySet<string>>();

/** What the skills of a view can be asked for by; null where some are beyond its listing indexes. */
export function namesOfSkills(merged: MergedListing): ReadonlySet<string> | null {
  if (merged.beyondIndex > 0) return null;
  const known = names.get(merged);
  if (known) return known;
  const all = [
    ...merged.skills.map(({ entry, layer }) => ({ layer, name: entry.name })),
    ...merged.shadowed,
  ].flatMap(({ layer, name }) => [name, skillKey(layer, name)]);
  const made = new Set(all);
  names.set(merged, made);
  return made;
}

function characters(has: Partial<Record<RequirementKind, string[]>>): number {
  // An empty place in a list costs room as well.
  return Object.values(has)
    .flat()
    .reduce((sum, name) => sum + name.length + 1, 0);
}
