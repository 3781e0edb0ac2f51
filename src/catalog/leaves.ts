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

/** A leaf that was just cut, and how its parent knows it. */
export interface Leaf {
  readonly reference: LeafReference;
  readonly node: CatalogNode;
}

type Named = { readonly name: string };

/**
 * Cuts rows into leaves at names chosen by their own hash, so that adding or removing one changes the leaf it falls into
 * and no other.
 */
export function cutIntoLeaves(rows: readonly Named[]): {
  leaves: CatalogNode[];
  references: LeafReference[];
} {
  const { cut, open } = cutLeaves(byName(rows));
  const leaves = [...cut, ...closedLeaf(open)];
  return { leaves: leaves.map(({ node }) => node), references: leaves.map(({ reference }) => reference) };
}

/** Leaves of rows in name order, and what is left over of them for the next one. */
export function cutLeaves<Row extends Named>(sorted: readonly Row[]): { cut: Leaf[]; open: Row[] } {
  const cut: Leaf[] = [];
  let open: Row[] = [];
  for (const row of sorted) {
    open.push(row);
    if (open.length < LONGEST_LEAF && !endsLeaf(row.name)) continue;
    cut.push(...closedLeaf(open));
    open = [];
  }
  return { cut, open };
}

/** The leaf of what is left over; none where nothing is. */
export function closedLeaf(rows: readonly Named[]): Leaf[] {
  const [first] = rows;
  if (!first) return [];
  const text = canonicalJson({ version: 1, entries: rows });
  const digest = digestOf(text);
  return [{ reference: { first: first.name, count: rows.length, digest }, node: { digest, text } }];
}

export function byName<Row extends Named>(rows: readonly Row[]): Row[] {
  return rows.toSorted((left, right) => byCodeUnit(left.name, right.name));
}

function endsLeaf(name: string): boolean {
  return isOneOf(CATALOG_LIMITS.leafEntries, digestOf(name));
}

/** True of one in so many digests. */
export function isOneOf(many: number, digest: Digest): boolean {
  const prefix = Number.parseInt(digest.slice('sha256:'.length, 'sha256:'.length + 8), 16);
  return prefix % many === 0;
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
