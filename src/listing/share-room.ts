import { descend, FULL, OMITTED, printed, type Measured, type Step } from './ladder.ts';
import { headOf, type Layout } from './layout.ts';
import type { PreparedEntry } from './listing-entry.ts';
import type { Measure } from './measure.ts';

export interface RankedEntry {
  readonly prepared: PreparedEntry;
  /** 0 is the best; no two entries of a list share one. */
  readonly rank: number;
}

export const LINE_END = 1;

interface Candidate extends Measured {
  readonly at: number;
  readonly rank: number;
}

/**
 * What is printed of each entry, parallel to the entries. Bundled entries have a room of their own, which the others
 * cannot take: half of the budget, and beyond that whatever the others leave when they have given up all text but no
 * name. So bundled text up to half is safe, and what is above half goes after the others' text and before their names.
 */
export function chooseSteps(
  entries: readonly RankedEntry[],
  budget: number,
  cap: number,
  tailCharacters: number,
  layout: Layout,
  measure: Measure,
): Step[] {
  const ending = layout.end.length + LINE_END;
  const separator = layout.text[0].length + layout.text[1].length;
  const fullLine = (entry: Candidate): number => entry.head + printed(entry.full, separator);
  const bundled: Candidate[] = [];
  const others: Candidate[] = [];
  for (const [at, { prepared, rank }] of entries.entries()) {
    (prepared.bundled ? bundled : others).push({
      at,
      rank,
      head: measure.size(headOf(prepared, layout)) + ending,
      full: Math.min(measure.size(prepared.full), cap),
      plain: Math.min(measure.size(prepared.plain), cap),
      least: Math.min(measure.size(prepared.least), cap),
    });
  }
  // The last line has no end of line, so there is room for one more unit than the budget says.
  const room = budget + LINE_END;
  const wanted = sum(bundled, fullLine);
  if (wanted + sum(others, fullLine) <= room) return entries.map(() => FULL);

  const names = sum(others, (entry) => entry.head);
  const bundledRoom = Math.min(Math.max(Math.floor(budget / 2) + LINE_END, room - names), wanted);
  const steps = entries.map(() => OMITTED);
  const groups = [
    { group: bundled, groupRoom: bundledRoom },
    { group: others, groupRoom: room - bundledRoom },
  ];
  for (const { group, groupRoom } of groups) {
    group.sort(byRank);
    for (const [place, step] of descend(group, groupRoom, tailCharacters + LINE_END, separator).entries()) {
      const candidate = group[place];
      if (candidate !== undefined) steps[candidate.at] = step;
    }
  }
  return steps;
}

function byRank(left: Candidate, right: Candidate): number {
  return left.rank - right.rank || left.at - right.at;
}

function sum(entries: readonly Candidate[], size: (entry: Candidate) => number): number {
  let total = 0;
  for (const entry of entries) total += size(entry);
  return total;
}
