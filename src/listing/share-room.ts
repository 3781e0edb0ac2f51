import { type GroupRooms, type GroupSize, groupRooms } from './group-rooms.ts';
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

/** What is printed of each entry, parallel to the entries. Those with a rank below `favoured` have a room of their own. */
export function chooseSteps(
  entries: readonly RankedEntry[],
  budget: number,
  favoured: number,
  cap: number,
  tailCharacters: number,
  layout: Layout,
  measure: Measure,
): Step[] {
  const ending = layout.end.length + LINE_END;
  const separator = layout.text[0].length + layout.text[1].length;
  const groups: Record<keyof GroupRooms, Candidate[]> = { bundled: [], favoured: [], others: [] };
  for (const [at, { prepared, rank }] of entries.entries()) {
    groups[groupOf(prepared.bundled, rank, favoured)].push({
      at,
      rank,
      head: measure.size(headOf(prepared, layout)) + ending,
      full: Math.min(measure.size(prepared.full), cap),
      plain: Math.min(measure.size(prepared.plain), cap),
      least: Math.min(measure.size(prepared.least), cap),
    });
  }
  const sizeOf = (group: readonly Candidate[]): GroupSize => {
    let [wanted, names] = [0, 0];
    for (const { head, full } of group) {
      wanted += head + printed(full, separator);
      names += head;
    }
    return { wanted, names };
  };
  const sizes = {
    bundled: sizeOf(groups.bundled),
    favoured: sizeOf(groups.favoured),
    others: sizeOf(groups.others),
  };
  // The last line has no end of line, so there is room for one more unit than the budget says.
  const room = budget + LINE_END;
  if (sizes.bundled.wanted + sizes.favoured.wanted + sizes.others.wanted <= room) {
    return entries.map(() => FULL);
  }
  const rooms = groupRooms(room, Math.floor(budget / 2) + LINE_END, sizes);
  const steps = entries.map(() => OMITTED);
  for (const name of GROUPS) {
    const group = groups[name].toSorted(byRank);
    for (const [place, step] of descend(group, rooms[name], tailCharacters + LINE_END, separator).entries()) {
      const candidate = group[place];
      if (candidate !== undefined) steps[candidate.at] = step;
    }
  }
  return steps;
}

export const GROUPS = ['bundled', 'favoured', 'others'] as const;

/** Bundled entries have their own room whatever their rank. */
export function groupOf(bundled: boolean, rank: number, favoured: number): keyof GroupRooms {
  if (bundled) return 'bundled';
  return rank < favoured ? 'favoured' : 'others';
}

function byRank(left: Candidate, right: Candidate): number {
  return left.rank - right.rank || left.at - right.at;
}
