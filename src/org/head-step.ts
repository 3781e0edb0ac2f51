import type { LeafReference } from '../catalog/leaves.ts';
import type { HeadMove } from '../publish/ports.ts';
import type { Head } from '../view/view-record.ts';

/** Where a head stands, in short: whatever else is in it follows from these digests. */
export type HeadMark = Pick<Head, 'sequence' | 'catalog' | 'index'>;

/** A list of leaves by the one before it: how many of that stay at its beginning and at its end, and what is between them. */
interface LeavesStep {
  readonly first: number;
  readonly between: readonly LeafReference[];
  readonly last: number;
}

/**
 * A head by the one before it. That of a large layer names hundreds of shards, of which a publish changes one or two: the
 * others are not sent to and fro.
 */
export interface HeadStep extends Omit<HeadMove['head'], 'shards' | 'pages'> {
  readonly from: HeadMark;
  readonly shards: LeavesStep;
  readonly pages: LeavesStep;
}

/** Null where the head has no pages to be told of by those before. */
export function headStep(before: Head, { shards, pages, ...after }: HeadMove['head']): HeadStep | null {
  if (!pages) return null;
  return {
    ...after,
    from: markOf(before),
    shards: leavesStep(before.shards, shards),
    pages: leavesStep(before.pages ?? [], pages),
  };
}

/** The head that a step leads to from the one that it was made of. */
export function headAfter(
  before: Head,
  { from: _from, shards, pages, ...after }: HeadStep,
): HeadMove['head'] {
  return {
    ...after,
    shards: leavesAfter(before.shards, shards),
    pages: leavesAfter(before.pages ?? [], pages),
  };
}

export function markOf({ sequence, catalog, index }: HeadMark): HeadMark {
  return { sequence, catalog, index };
}

export function isSameMark(one: HeadMark, other: HeadMark): boolean {
  return one.sequence === other.sequence && one.catalog === other.catalog && one.index === other.index;
}

function leavesStep(before: readonly LeafReference[], after: readonly LeafReference[]): LeavesStep {
  const shortest = Math.min(before.length, after.length);
  let first = 0;
  while (first < shortest && isSame(before[first], after[first])) first += 1;
  let last = 0;
  while (last < shortest - first && isSame(before.at(-1 - last), after.at(-1 - last))) last += 1;
  return { first, between: after.slice(first, after.length - last), last };
}

function leavesAfter(
  before: readonly LeafReference[],
  { first, between, last }: LeavesStep,
): LeafReference[] {
  return [...before.slice(0, first), ...between, ...before.slice(before.length - last)];
}

function isSame(one: LeafReference | undefined, other: LeafReference | undefined): boolean {
  return one?.digest === other?.digest && one?.first === other?.first && one?.count === other?.count;
}
