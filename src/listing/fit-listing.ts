import { cutText } from './grapheme-cut.ts';
import { OMITTED, type Step } from './ladder.ts';
import { prepareEntry, type ListingEntry, type PreparedEntry } from './listing-entry.ts';
import { chooseSteps, LINE_END, type RankedEntry } from './share-room.ts';

export type { ListingEntry } from './listing-entry.ts';

/**
 * - `full`: everything the entry has to say, up to the cap on entries.
 * - `shortened`: the budget took its trigger hints or a part of its description.
 * - `nameOnly`: the budget took all its text. An entry that never had any is `full`.
 */
export type ListingState = 'full' | 'shortened' | 'nameOnly' | 'omitted';

export interface FittedListing {
  /** Lines `- name: text` or `- name` in the order of the entries; perhaps a last line about omitted ones. */
  readonly text: string;
  /** `text.length`, never more than `budget`. UTF-16 units. */
  readonly used: number;
  readonly budget: number;
  readonly counts: Readonly<Record<ListingState, number>>;
  /** Parallel to the entries. */
  readonly states: readonly ListingState[];
}

export interface ListingOptions {
  /** UTF-16 units for the whole text. */
  readonly budget: number;
  /** Cap on the text of one entry, `…` included. */
  readonly entryCharacters: number;
  /** Skills that there are beside the entries; the last line counts them with the omitted ones. */
  readonly unseen?: number;
}

/** Fits entries into a budget; order of lines is order of entries, and rank decides only who loses text. */
export function fitListing(entries: readonly ListingEntry[], options: ListingOptions): FittedListing {
  return fitPrepared(
    entries.map((entry) => ({ prepared: prepareEntry(entry), rank: entry.rank })),
    options,
  );
}

/** `fitListing` for a caller that keeps prepared entries; ranks change with every request. */
export function fitPrepared(entries: readonly RankedEntry[], options: ListingOptions): FittedListing {
  const budget = wholeUnits(options.budget);
  const cap = wholeUnits(options.entryCharacters);
  const unseen = wholeUnits(options.unseen ?? 0);
  const steps = chooseSteps(entries, budget, cap, tailLine(entries.length + unseen).length);
  const counts = { full: 0, shortened: 0, nameOnly: 0, omitted: 0 };
  const states: ListingState[] = [];
  const lines: string[] = [];
  let used = 0;
  for (const [at, { prepared }] of entries.entries()) {
    const step = steps[at] ?? OMITTED;
    const { state, line } = print(prepared, step, cap);
    states.push(state);
    counts[state] += 1;
    if (line === null) continue;
    lines.push(line);
    used += line.length + LINE_END;
  }
  const missing = counts.omitted + unseen;
  const tail = tailLine(missing);
  if (missing > 0 && used + tail.length <= budget) lines.push(tail);
  const text = lines.join('\n');
  return { text, used: text.length, budget, counts, states };
}

function print(entry: PreparedEntry, step: Step, cap: number): { state: ListingState; line: string | null } {
  const full = Math.min(entry.full.length, cap);
  if (step.text === 'omitted') return { state: 'omitted', line: null };
  if (full === 0) return { state: 'full', line: entry.head };
  if (step.text === 'none') return { state: 'nameOnly', line: entry.head };
  const text = entry[step.text];
  const limit = Math.min(cap, step.limit);
  const state = Math.min(text.length, limit) === full ? 'full' : 'shortened';
  // A variant that the cap cuts to the same length is no gain.
  return { state, line: `${entry.head}: ${cutText(state === 'full' ? entry.full : text, limit)}` };
}

function tailLine(omitted: number): string {
  return omitted === 1
    ? 'One more skill is not listed: search the catalog for it.'
    : `${omitted} more skills are not listed: search the catalog for them.`;
}

/** A size as an integer of at least 0; what is no number is 0. */
function wholeUnits(size: number): number {
  return size > 0 ? Math.floor(size) : 0;
}
