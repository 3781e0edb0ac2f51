/** An entry in UTF-16 units. Texts are measured after the cap, none longer than the one before; 0 means no text. */
export interface Measured {
  /** `- name` and the end of the line. */
  readonly head: number;
  readonly full: number;
  readonly plain: number;
  readonly least: number;
}

/** What is printed of an entry: one of its texts, cut to `limit` units, or only its name, or nothing. */
export interface Step {
  readonly text: 'full' | 'plain' | 'least' | 'none' | 'omitted';
  readonly limit: number;
}

/** A description cut shorter than this says nothing; the entry becomes a name. */
const MINIMUM_TEXT = 20;

/**
 * Limits that descriptions are cut to, each about a quarter above the one before. A few steps and not every number: one
 * more skill then moves a few descriptions by one step, and leaves all other lines, and what caches know of them, alone.
 */
const LEVELS = [MINIMUM_TEXT, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 250, 320, 400, 500, 640, 800, 1000];

export const FULL: Step = { text: 'full', limit: Infinity };
const PLAIN: Step = { text: 'plain', limit: Infinity };
const LEAST: Step = { text: 'least', limit: Infinity };
const NONE: Step = { text: 'none', limit: 0 };
export const OMITTED: Step = { text: 'omitted', limit: 0 };

/**
 * Takes entries (best rank first) down the ladder, one rung after the other, until they fit into `room`: trigger hints,
 * then long descriptions, each from the lowest rank up; then all descriptions to one of two neighbouring limits; then
 * whole descriptions, then names, from the lowest rank up. `tail` is the room for the line about omitted entries,
 * `separator` what a text adds to its line beside itself.
 *
 * More room never puts an entry lower. That is why entries lose strictly from the end (a short entry may not slip past a
 * long one), and why what is left once some have only names is not given back to the others.
 */
export function descend(entries: readonly Measured[], room: number, tail: number, separator: number): Step[] {
  const steps = entries.map(() => FULL);
  let total = 0;
  for (const entry of entries) total += entry.head + printed(entry.full, separator);
  for (const [step, before, after] of RUNGS) {
    for (let at = entries.length - 1; at >= 0 && total > room; at -= 1) {
      const entry = entries[at];
      if (entry === undefined || entry[after] === entry[before]) continue;
      total -= entry[before] - entry[after];
      steps[at] = step;
    }
  }
  if (total <= room) return steps;

  let heads = 0;
  for (const entry of entries) heads += entry.head;
  if (heads > room) {
    const kept = prefix(entries, namesRoom(room, tail), (entry) => entry.head);
    return entries.map((_, at) => (at < kept ? NONE : OMITTED));
  }
  const limits = waterLevels(entries, room - heads, separator);
  if (limits !== null) return limits.map((limit) => ({ text: 'least', limit }));
  const kept = prefix(entries, room - heads, (entry) =>
    printed(Math.min(entry.least, MINIMUM_TEXT), separator),
  );
  const shortest: Step = { text: 'least', limit: MINIMUM_TEXT };
  return entries.map((_, at) => (at < kept ? shortest : NONE));
}

const RUNGS: readonly (readonly [Step, 'full' | 'plain', 'plain' | 'least'])[] = [
  [PLAIN, 'full', 'plain'],
  [LEAST, 'plain', 'least'],
];

/**
 * A limit for each text, so that all fit; short ones keep theirs whole and leave their room. All have the highest common
 * level, the best ranks the next one, and the first that has no room for that what is left. Null if none is useful.
 */
function waterLevels(entries: readonly Measured[], room: number, separator: number): number[] | null {
  const taken = (limit: number): number => {
    let sum = 0;
    for (const entry of entries) sum += printed(Math.min(entry.least, limit), separator);
    return sum;
  };
  const next = LEVELS.findIndex((level) => taken(level) > room);
  if (next === 0) return null;
  const low = LEVELS.at(next === -1 ? -1 : next - 1) ?? MINIMUM_TEXT;
  const high = next === -1 ? Infinity : (LEVELS[next] ?? Infinity);
  let left = room - taken(low);
  return entries.map(({ least }) => {
    const wanted = Math.max(0, Math.min(least, high) - low);
    const given = Math.min(wanted, left);
    // Who comes after one that did not get all gets nothing, or more room could put one of them lower.
    left = given < wanted ? 0 : left - given;
    return low + given;
  });
}

/** How many entries from the start fit. */
export function prefix<Entry>(
  entries: readonly Entry[],
  room: number,
  cost: (entry: Entry) => number,
): number {
  let left = room;
  let count = 0;
  for (const entry of entries) {
    left -= cost(entry);
    if (left < 0) break;
    count += 1;
  }
  return count;
}

/**
 * Room for names when not all fit. The tail line gets its room only out of what is beyond the names that a listing just
 * too small for that line would hold: else a larger budget would list fewer.
 */
export function namesRoom(room: number, tail: number): number {
  return Math.max(Math.min(room, tail), room - tail);
}

/** Units that a text adds to its line. */
export function printed(text: number, separator: number): number {
  return text === 0 ? 0 : separator + text;
}
