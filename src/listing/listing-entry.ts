import { visibleName, visibleText } from './visible-text.ts';

/** A skill as a catalog tells of it; nothing here is trusted. Empty text means that there is none. */
export interface ListingEntry {
  readonly name: string;
  readonly description: string;
  /** Trigger hints. */
  readonly whenToUse: string;
  /** Used instead of the description where room is short, if it is shorter. */
  readonly shortDescription: string;
  readonly bundled: boolean;
  /** Whose it is, where the reader should know; stands behind the name and stays with it. */
  readonly mark?: string;
  /** 0 is the best; no two entries of a list share one. */
  readonly rank: number;
}

/** What of an entry does not depend on the request, so that it can be kept: everything that costs time to compute. */
export interface PreparedEntry {
  readonly name: string;
  readonly mark: string;
  /** Description and trigger hints. */
  readonly full: string;
  /** Without trigger hints; `full` where there are none, or nothing else. */
  readonly plain: string;
  /** The short description; `plain` where there is none that is shorter. */
  readonly least: string;
  readonly bundled: boolean;
  /** What ends each of the texts, and stays there where one is cut. */
  readonly note?: string;
}

/** Makes an entry's texts safe to print, each on one line. None of `full`, `plain`, `least` is longer than the one before. */
export function prepareEntry(entry: Omit<ListingEntry, 'rank'>): PreparedEntry {
  const description = visibleText(entry.description);
  const hints = visibleText(entry.whenToUse);
  const short = visibleText(entry.shortDescription);
  const full = description === '' || hints === '' ? description + hints : `${description} - ${hints}`;
  const plain = description === '' ? full : description;
  const least = short !== '' && short.length < plain.length ? short : plain;
  return {
    name: visibleName(entry.name),
    mark: visibleText(entry.mark ?? ''),
    full,
    plain,
    least,
    bundled: entry.bundled,
  };
}
