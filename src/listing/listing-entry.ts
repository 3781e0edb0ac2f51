import type { Layer } from '../catalog/layers.ts';
import type { IndexEntry } from '../catalog/listing-index.ts';
import { isUntrusted, type Trust } from '../catalog/provenance.ts';
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

/** An entry's texts, safe to print. None is longer than the one before. */
export interface PreparedTexts {
  /** Description and trigger hints. */
  readonly full: string;
  /** Without trigger hints; `full` where there are none, or nothing else. */
  readonly plain: string;
  /** The short description; `plain` where there is none that is shorter. */
  readonly least: string;
}

export interface PreparedHead {
  readonly name: string;
  readonly mark: string;
}

/** What of an entry does not depend on the request, so that it can be kept: everything that costs time to compute. */
export interface PreparedEntry extends PreparedHead, PreparedTexts {
  readonly bundled: boolean;
  /** What ends each of the texts, and stays there where one is cut. */
  readonly note?: string;
}

/** Makes an entry safe to print, each of its parts on one line. */
export function prepareEntry(entry: Omit<ListingEntry, 'rank'>): PreparedEntry {
  return {
    ...prepareHead(entry),
    ...prepareTexts(entry),
    bundled: entry.bundled,
  };
}

/** What a listing prints of a skill before its text: what is not trusted says whose it is. */
export function printedHead({ name, trust }: Pick<IndexEntry, 'name' | 'trust'>, layer: Layer): PreparedHead {
  return prepareHead({ name, mark: originMark(trust, layer) });
}

/** Whose a skill is, where the reader should know. */
export function originMark(trust: Trust, layer: Layer): string {
  return isUntrusted(trust) ? `${trust} ${layer}` : '';
}

function prepareHead({ name, mark = '' }: Pick<ListingEntry, 'name' | 'mark'>): PreparedHead {
  return { name: visibleName(name), mark: visibleText(mark) };
}

export function prepareTexts(
  entry: Pick<ListingEntry, 'description' | 'whenToUse' | 'shortDescription'>,
): PreparedTexts {
  const description = visibleText(entry.description);
  const hints = visibleText(entry.whenToUse);
  const short = visibleText(entry.shortDescription);
  const full = description === '' || hints === '' ? description + hints : `${description} - ${hints}`;
  const plain = description === '' ? full : description;
  const least = short !== '' && short.length < plain.length ? short : plain;
  return { full, plain, least };
}
