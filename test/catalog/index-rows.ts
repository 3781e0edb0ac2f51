import { expect } from 'vitest';
import { isLeafOf } from '../../src/catalog/leaves.ts';
import {
  type BuiltIndex,
  type IndexEntry,
  IndexPage,
  ListingIndex,
} from '../../src/catalog/listing-index.ts';

/** All rows of an index, whose pages are what its root says and fit together into its size. */
export function rowsOf({ root, pages, references: known }: BuiltIndex): IndexEntry[] {
  const { pages: references } = ListingIndex.parse(JSON.parse(root.text));
  expect(references).toEqual(known);
  const read = pages.map(({ text }) => IndexPage.parse(JSON.parse(text)));
  expect(references.map(({ digest }) => digest)).toEqual(pages.map(({ digest }) => digest));
  for (const [at, reference] of references.entries())
    expect(isLeafOf(references, reference, read[at] ?? { entries: [] })).toBe(true);
  const bytes = pages.reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0);
  expect(bytes).toBeLessThanOrEqual(1024 * 1024);
  return read.flatMap(({ entries }) => entries);
}
