import { CUT_POINTS, type ListingTokens } from '../catalog/token-counts.ts';
import { type CountedLayout, tailTokens } from './counted-layout.ts';
import { areCountsOf, type CountedLine, linesOf, printLine } from './counted-line.ts';
import { estimateEntry } from './estimate-tokens.ts';
import { type FittedListing, type ListingState, tailLine } from './fit-listing.ts';
import { type GroupRooms, type GroupSize, groupRooms } from './group-rooms.ts';
import { namesRoom, prefix } from './ladder.ts';
import { LINES } from './layout.ts';
import { groupOf, GROUPS, type RankedEntry } from './share-room.ts';

export interface CountedEntry extends RankedEntry {
  /** What was counted of these very texts; null where nobody did. */
  readonly tokens: ListingTokens | null;
}

export interface CountedListing extends FittedListing {
  /** Printed entries whose tokens are an estimate. Where there are none, `used` is exact. */
  readonly estimatedEntries: number;
}

export interface CountedOptions {
  /** Tokens of the whole text. */
  readonly budget: number;
  /** Cap on the text of one entry, in UTF-16 units; a longer text is cut at the next cut point. */
  readonly entryCharacters: number;
  readonly unseen: number;
  /** How many of the best ranks keep text while others still have names. */
  readonly favoured?: number;
  readonly layout: CountedLayout;
}

interface Candidate {
  readonly at: number;
  readonly rank: number;
  readonly bundled: boolean;
  readonly estimated: boolean;
  /** Parallel to those of all others, none dearer than the one before. */
  readonly lines: readonly CountedLine[];
}

/**
 * `fitListing` in counted tokens, with its promises. Texts are cut only where their cuts were counted: entries go down
 * one rung after the other, each from the lowest rank up, until they fit.
 */
export function fitCounted(entries: readonly CountedEntry[], options: CountedOptions): CountedListing {
  const { budget, unseen, layout } = options;
  const candidates = candidatesOf(entries, options.entryCharacters);
  const room = Math.max(0, budget - layout.blockTokens);
  const favoured = options.favoured ?? 0;
  const chosen = chooseLines(candidates, room, favoured, tailTokens(entries.length + unseen));
  const counts = { full: 0, shortened: 0, nameOnly: 0, omitted: 0 };
  const states: ListingState[] = [];
  let [lines, used, estimatedEntries] = ['', 0, 0];
  for (const [at, { prepared }] of entries.entries()) {
    const line = chosen[at] ?? null;
    const state = stateOf(line, candidates[at]?.lines[0]);
    states.push(state);
    counts[state] += 1;
    if (line === null) continue;
    lines += printLine(prepared, line);
    used += line.tokens;
    if (candidates[at]?.estimated === true) estimatedEntries += 1;
  }
  const missing = counts.omitted + unseen;
  if (missing > 0 && used + tailTokens(missing) <= room) {
    lines += `${tailLine(missing, LINES)}\n`;
    used += tailTokens(missing);
  }
  const [open, close] = layout.block;
  if (lines === '') return { text: '', used: 0, budget, counts, states, estimatedEntries };
  return {
    text: open + lines + close,
    used: used + layout.blockTokens,
    budget,
    counts,
    states,
    estimatedEntries,
  };
}

function candidatesOf(entries: readonly CountedEntry[], cap: number): Candidate[] {
  const points = CUT_POINTS.filter((point) => point < cap).toReversed();
  return entries.map(({ prepared, rank, tokens }, at) => {
    const counted = tokens !== null && areCountsOf(prepared, tokens) ? tokens : null;
    const lines = linesOf(prepared, counted ?? estimateEntry(prepared), cap, points);
    return { at, rank, bundled: prepared.bundled, estimated: counted === null, lines };
  });
}

function stateOf(line: CountedLine | null, whole: CountedLine | undefined): ListingState {
  if (line === null) return 'omitted';
  if (line === whole) return 'full';
  return line.text === null ? 'nameOnly' : 'shortened';
}

/** The line of each entry, null where it is omitted. Groups have the same rooms of their own as in `chooseSteps`. */
function chooseLines(
  candidates: readonly Candidate[],
  room: number,
  favoured: number,
  tail: number,
): (CountedLine | null)[] {
  const groups: Record<keyof GroupRooms, Candidate[]> = { bundled: [], favoured: [], others: [] };
  for (const candidate of candidates)
    groups[groupOf(candidate.bundled, candidate.rank, favoured)].push(candidate);
  const sizeOf = (group: readonly Candidate[]): GroupSize => ({
    wanted: sum(group, 0),
    names: sum(group, -1),
  });
  const rooms = groupRooms(room, Math.floor(room / 2), {
    bundled: sizeOf(groups.bundled),
    favoured: sizeOf(groups.favoured),
    others: sizeOf(groups.others),
  });
  const chosen = candidates.map((): CountedLine | null => null);
  for (const name of GROUPS) {
    const best = groups[name].toSorted((left, right) => left.rank - right.rank || left.at - right.at);
    for (const [place, line] of descend(best, rooms[name], tail).entries()) {
      const candidate = best[place];
      if (candidate !== undefined) chosen[candidate.at] = line;
    }
  }
  return chosen;
}

/** Takes entries, best rank first, down their lines, then leaves out the last ones; more room never takes one further. */
function descend(best: readonly Candidate[], room: number, tail: number): (CountedLine | null)[] {
  const rungs = best.map(() => 0);
  let total = sum(best, 0);
  const last = (best[0]?.lines.length ?? 1) - 1;
  for (let rung = 1; rung <= last; rung += 1) {
    for (let at = best.length - 1; at >= 0 && total > room; at -= 1) {
      total += tokensOf(best[at], rung) - tokensOf(best[at], rung - 1);
      rungs[at] = rung;
    }
  }
  const kept =
    total <= room ? best.length : prefix(best, namesRoom(room, tail), (entry) => tokensOf(entry, -1));
  return best.map(({ lines }, at) => (at < kept ? (lines[rungs[at] ?? last] ?? null) : null));
}

function tokensOf(candidate: Candidate | undefined, rung: number): number {
  return candidate?.lines.at(rung)?.tokens ?? 0;
}

function sum(candidates: readonly Candidate[], rung: number): number {
  return candidates.reduce((total, candidate) => total + tokensOf(candidate, rung), 0);
}
