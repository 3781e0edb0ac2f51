import { z } from 'zod';

/**
 * Where a skill stands for models, each state stricter than the one before: listed with its text; listed by its name;
 * listed once a path is touched; never listed, but there for who knows its name; for people only.
 */
export const ListingState = z.enum(['auto', 'name-only', 'conditional', 'unlisted', 'manual']);
export type ListingState = z.infer<typeof ListingState>;

/** A person's or a layout's wish can hide what its author shows, and never show what its author hides. */
export function strictest(...states: readonly ListingState[]): ListingState {
  const order = ListingState.options;
  return order[Math.max(0, ...states.map((state) => order.indexOf(state)))] ?? 'manual';
}

/** True for what a model may be shown without anything having been touched. */
export function isListed(state: ListingState): boolean {
  return state === 'auto' || state === 'name-only';
}
