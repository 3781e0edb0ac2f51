import { goneLine } from './gone-line.ts';
import { OMITTED, type Step } from './ladder.ts';
import { headOf, type Layout, LINES } from './layout.ts';
import { CHARACTERS, type Measure } from './measure.ts';
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
  /** Lines in the order of the entries, perhaps a last one about omitted ones, in the block of the layout. */
  readonly text: string;
  /** Size of the text in the measure, never more than `budget`. */
  readonly used: number;
  readonly budget: number;
  readonly counts: Readonly<Record<ListingState, number>>;
  /** Parallel to the entries. */
  readonly states: readonly ListingState[];
}

export interface ListingOptions {
  /** For the whole text, in the measure. */
  readonly budget: number;
  /** Cap on the text of one entry, `…` included. */
  readonly entryCharacters: number;
  /** Skills that there are beside the entries; the last line counts them with the omitted ones. */
  readonly unseen?: number;
  /** How many of the best ranks keep text while others still have names; none where nothing is said. */
  readonly favoured?: number;
  /** Names of an earlier listing that are not there any more; a line of its own says so, where there is room for it. */
  readonly gone?: readonly string[];
  /** How it is written; lines `- name: text` where nothing is said. */
  readonly layout?: Layout;
  /** What the budget counts; characters (UTF-16 units) where nothing is said. The cap on entries is always in these. */
  readonly measure?: Measure;
}

/** Fits entries into a budget; order of lines is order of entries, and rank decides only who loses text. */
export function fitListing(entries: readonly ListingEntry[], options: ListingOptions): FittedListing {
  return fitPrepared(
    entries.map((entry) => ({ prepared: prepareEntry(entry), rank: entry.rank })),
    options,
  );
}

/** `fitListing` for a caller that keeps prepared entries; ranks change with every request. */
export function fitPrepared(ranked: readonly RankedEntry[], options: ListingOptions): FittedListing {
  const layout = options.layout ?? LINES;
  const measure = options.measure ?? CHARACTERS;
  const characters = wholeUnits(options.entryCharacters);
  const inCharacters = measure === CHARACTERS;
  const written = escaped(ranked, layout);
  const entries = inCharacters ? written : capped(written, characters, layout, measure);
  const cap = inCharacters ? characters : Infinity;
  const budget = wholeUnits(options.budget);
  const unseen = wholeUnits(options.unseen ?? 0);
  const [open, close] = layout.block;
  const inside = wholeUnits(budget - open.length - close.length);
  const gone = goneLine(options.gone ?? [], inside, layout, measure);
  const room = gone === null ? inside : wholeUnits(inside - measure.size(gone) - LINE_END);
  const steps = chooseSteps(
    entries,
    room,
    options.favoured ?? 0,
    cap,
    tailLine(entries.length + unseen, layout).length,
    layout,
    measure,
  );
  const counts = { full: 0, shortened: 0, nameOnly: 0, omitted: 0 };
  const states: ListingState[] = [];
  const lines: string[] = [];
  let used = 0;
  for (const [at, { prepared }] of entries.entries()) {
    const { state, line } = print(prepared, steps[at] ?? OMITTED, cap, layout, measure);
    states.push(state);
    counts[state] += 1;
    if (line === null) continue;
    lines.push(line);
    used += measure.size(line) + LINE_END;
  }
  const missing = counts.omitted + unseen;
  const tail = tailLine(missing, layout);
  if (missing > 0 && used + tail.length <= room) lines.push(tail);
  if (gone !== null) lines.push(gone);
  const text = lines.length === 0 ? '' : open + lines.join('\n') + close;
  return { text, used: measure.size(text), budget, counts, states };
}

function escaped(entries: readonly RankedEntry[], { escape }: Layout): readonly RankedEntry[] {
  if (escape === null) return entries;
  return entries.map(({ prepared, rank }) => {
    const { name, mark, full, plain, least, bundled, note = '' } = prepared;
    const texts = { full: escape(full), plain: escape(plain), least: escape(least) };
    return {
      prepared: {
        name: escape(name),
        mark: escape(mark),
        ...inOrder(texts, CHARACTERS),
        bundled,
        note: escape(note),
      },
      rank,
    };
  });
}

/** Cuts all texts to the cap beforehand, for a measure that the cap is not in. */
function capped(
  entries: readonly RankedEntry[],
  cap: number,
  layout: Layout,
  measure: Measure,
): readonly RankedEntry[] {
  return entries.map(({ prepared, rank }) => {
    const { full, plain, least, note } = prepared;
    const cut = (text: string): string => cutFor(layout, CHARACTERS, text, cap, note);
    const texts = inOrder({ full: cut(full), plain: cut(plain), least: cut(least) }, measure);
    return { prepared: { ...prepared, ...texts }, rank };
  });
}

/** A note at the end of the text stays, where there is room for more than that. */
function cutFor(
  { mend }: Pick<Layout, 'mend'>,
  measure: Measure,
  text: string,
  limit: number,
  note = '',
): string {
  const noted = note !== '' && text.endsWith(note) && measure.size(text) > limit;
  const room = limit - (noted ? measure.size(note) : 0);
  if (noted && room <= 0) return cutFor({ mend }, measure, text, limit);
  const whole = noted ? text.slice(0, -note.length) : text;
  const cut = measure.cut(whole, room);
  return (cut === whole || mend === null ? cut : mend(cut)) + (noted ? note : '');
}

/** A text that stands in for another where room is short can be larger, once it is escaped or measured; then it does not. */
function inOrder<Texts extends Pick<PreparedEntry, 'full' | 'plain' | 'least'>>(
  texts: Texts,
  { size }: Measure,
): Texts {
  const plain = size(texts.plain) <= size(texts.full) ? texts.plain : texts.full;
  const least = size(texts.least) <= size(plain) ? texts.least : plain;
  return { ...texts, plain, least };
}

function print(
  entry: PreparedEntry,
  step: Step,
  cap: number,
  layout: Layout,
  measure: Measure,
): { state: ListingState; line: string | null } {
  const full = Math.min(measure.size(entry.full), cap);
  if (step.text === 'omitted') return { state: 'omitted', line: null };
  const head = headOf(entry, layout);
  if (full === 0) return { state: 'full', line: head + layout.end };
  if (step.text === 'none') return { state: 'nameOnly', line: head + layout.end };
  const text = entry[step.text];
  const limit = Math.min(cap, step.limit);
  const state = Math.min(measure.size(text), limit) === full ? 'full' : 'shortened';
  // A variant that the cap cuts to the same length is no gain.
  const printed = cutFor(layout, measure, state === 'full' ? entry.full : text, limit, entry.note);
  return { state, line: head + layout.text[0] + printed + layout.text[1] + layout.end };
}

export function tailLine(omitted: number, { tail }: Layout): string {
  const line =
    omitted === 1
      ? 'One more skill is not listed: search the catalog for it.'
      : `${omitted} more skills are not listed: search the catalog for them.`;
  return tail[0] + line + tail[1];
}

/** A size as an integer of at least 0; what is no number is 0. */
function wholeUnits(size: number): number {
  return size > 0 ? Math.floor(size) : 0;
}
