import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf, isDigest } from '../core/digest.ts';
import { CATALOG_LIMITS } from '../core/limits.ts';
import { isEntryName } from './catalog-entry.ts';

/** A leaf (a shard of a catalog, a page of a listing index) as its parent knows it: its first name, and how many it has. */
export type LeafReference = {
  readonly first: string;
  readonly count: number;
  readonly digest: Digest;
};

/**
 * A parent's leaves. Checked by hand: a large layer has hundreds, which are read with every publish and every cold view, and
 * a schema of its own for each takes ten times as long.
 */
export const LeafReferences = z.custom<readonly LeafReference[]>(
  (value) => Array.isArray(value) && value.every(isLeafReference),
  'a list of leaves',
);

function isLeafReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return false;
  if (!('first' in value && 'count' in value && 'digest' in value)) return false;
  const { first, count, digest } = value;
  return (
    typeof first === 'string' &&
    isEntryName(first) &&
    Number.isSafeInteger(count) &&
    Number(count) > 0 &&
    typeof digest === 'string' &&
    isDigest(digest)
  );
}

export interface CatalogNode {
  readonly digest: Digest;
  readonly text: string;
}

/** Leaves end where the hash of a name says so, a run of this many names at the latest. */
const LONGEST_LEAF = CATALOG_LIMITS.leafEntries * 4;

/**
 * Cuts rows into leaves at names chosen by their own hash, so that adding or removing one changes the leaf it falls into
 * and no other.
 */
export function cutIntoLeaves<Row extends { readonly name: string }>(
  rows: readonly Row[],
): { leaves: CatalogNode[]; references: LeafReference[] } {
  const leaves: CatalogNode[] = [];
  const references: LeafReference[] = [];
  let open: Row[] = [];
  const close = (): void => {
    const [first] = open;
    if (!first) return;
    const text = canonicalJson({ version: 1, entries: open });
    const digest = digestOf(text);
    leaves.push({ digest, text });
    references.push({ first: first.name, count: open.length, digest });
    open = [];
  };
  for (const row of rows.toSorted((left, right) => byCodeUnit(left.name, right.name))) {
    open.push(row);
    if (open.length >= LONGEST_LEAF || endsLeaf(row.name)) close();
  }
  close();
  return { leaves, references };
}

function endsLeaf(name: string): boolean {
  const prefix = Number.parseInt(digestOf(name).slice('sha256:'.length, 'sha256:'.length + 8), 16);
  return prefix % CATALOG_LIMITS.leafEntries === 0;
}

/** The leaf that would hold a name: the last one whose first name is not after it. */
export function leafFor(references: readonly LeafReference[], name: string): LeafReference | null {
  let low = 0;
  let high = references.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = references[middle];
    if (candidate && byCodeUnit(candidate.first, name) <= 0) low = middle + 1;
    else high = middle;
  }
  return references[low - 1] ?? null;
}

/** True where the leaves are in name order. */
export function areInOrder(references: readonly LeafReference[]): boolean {
  return isAscending(references.map(({ first }) => first));
}

/** True where a leaf is what its parent says: its names in order, as many, from the first, and before the next leaf's. */
export function isLeafOf(
  references: readonly LeafReference[],
  reference: LeafReference,
  leaf: { readonly entries: readonly { readonly name: string }[] },
): boolean {
  const names = leaf.entries.map(({ name }) => name);
  const next = references[references.indexOf(reference) + 1]?.first;
  return (
    names[0] === reference.first &&
    names.length === reference.count &&
    isAscending(next === undefined ? names : [...names, next])
  );
}

function isAscending(names: readonly string[]): boolean {
  return names.every((name, at) => at === 0 || byCodeUnit(names[at - 1] ?? '', name) < 0);
}
