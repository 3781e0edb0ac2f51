import { REQUEST_LIMITS, SKILL_LIMITS } from '../core/limits.ts';
import { foldName } from '../format/fold-name.ts';

/** Names shorter than this are in nearly every other. */
const SHORTEST_PART = 3;
const MOST_MISTAKES = 3;

/**
 * The names that one may have been meant by, the nearest first: with few letters wrong for their length (one more, less,
 * changed, or two neighbours exchanged), or with all of it in them. Case, dashes, underscores and spaces do not count, nor
 * does a layer in front. Takes time linear in the names, each compared in a narrow band.
 */
export function nearestNames(asked: string, names: readonly string[]): string[] {
  const wanted = comparable(asked.slice(asked.lastIndexOf('/') + 1));
  if (wanted === '' || wanted.length > SKILL_LIMITS.nameCharactersHard) return [];
  const mistakes = Math.min(MOST_MISTAKES, Math.max(1, Math.floor(wanted.length / 3)));
  return names
    .flatMap((name, at) => {
      const distance = name === asked ? null : distanceOf(wanted, comparable(name), mistakes);
      return distance === null ? [] : [{ name, at, distance }];
    })
    .toSorted((left, right) => left.distance - right.distance || left.at - right.at)
    .slice(0, REQUEST_LIMITS.nearestNames)
    .map(({ name }) => name);
}

/** Null where they are too different; a name that has the other one in it is as far away as one can be. */
function distanceOf(wanted: string, name: string, mistakes: number): number | null {
  const distance = editDistance(wanted, name, mistakes);
  if (distance <= mistakes) return distance;
  const isPart = wanted.length >= SHORTEST_PART && name.includes(wanted);
  const isWhole = name.length >= SHORTEST_PART && wanted.includes(name);
  return isPart || isWhole ? mistakes + 1 : null;
}

function comparable(name: string): string {
  return foldName(name).replaceAll(/[\s_]/g, '-');
}

/**
 * How many letters differ, exact up to `limit`; more than that is only said to be more. Of the table of all beginnings only
 * the band around its diagonal is computed: what lies outside of it is too far away to count.
 */
export function editDistance(left: string, right: string, limit: number): number {
  const far = limit + 1;
  if (Math.abs(left.length - right.length) > limit) return far;
  const width = 2 * limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: width }, (_, at) => (at < limit ? far : at - limit));
  for (let row = 1; row <= left.length; row += 1) {
    const current: number[] = [];
    for (let at = 0; at < width; at += 1) {
      const column = row + at - limit;
      if (column <= 0 || column > right.length) {
        current.push(column === 0 ? row : far);
        continue;
      }
      const same = left[row - 1] === right[column - 1];
      const exchanged =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const changes = (last[at] ?? far) + (same ? 0 : 1);
      const swaps = exchanged ? (beforeLast[at] ?? far) + 1 : far;
      current.push(Math.min(changes, swaps, (last[at + 1] ?? far) + 1, (current[at - 1] ?? far) + 1));
    }
    if (Math.min(...current) > limit) return far;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last[right.length - left.length + limit] ?? far, far);
}
