import type { Units } from './units.ts';

/** Where words end in the bytes of a text: a list for each word, ascending. */
export type WordEnds = readonly (readonly number[])[];

/**
 * The places in a text where something begins to be tried: where one of several words ends. What is tried reaches over most
 * of them, so they are asked for one after the other, and those that are passed over cost next to nothing.
 */
export class Places {
  readonly #lists: WordEnds;
  /** By list, the first end that was not passed. */
  readonly #at: number[];
  /** Null where every byte is a unit. */
  readonly #units: Units | null;
  #byte = 0;
  #unit = 0;
  #passed = 0;

  constructor(lists: WordEnds, units: Units | null) {
    this.#lists = lists;
    this.#at = lists.map(() => 0);
    this.#units = units;
  }

  /** How many ends the last call of `next` passed over, the one that it answered not counted. */
  get passed(): number {
    return this.#passed;
  }

  /** The first place behind an offset, in UTF-16 units; null where there is none. Asked with offsets that only grow. */
  next(after: number): number | null {
    this.#passed = 0;
    // As many units as there are between two places, there are bytes at least.
    let least = this.#byte + after - this.#unit;
    for (;;) {
      const byte = this.#first(least);
      if (byte === null) return null;
      this.#byte = byte;
      this.#unit = this.#units?.of(byte) ?? byte;
      if (this.#unit > after) return this.#unit;
      least = byte;
    }
  }

  /** The first end behind so many bytes. */
  #first(least: number): number | null {
    let nearest: number | null = null;
    for (let list = 0; list < this.#lists.length; list += 1) {
      const ends = this.#lists[list] ?? [];
      const from = this.#at[list] ?? 0;
      const at = firstAbove(ends, least, from);
      this.#passed += at - from;
      this.#at[list] = at;
      const end = ends[at];
      if (end !== undefined && (nearest === null || end < nearest)) nearest = end;
    }
    return nearest;
  }
}

/** The index of the first number above a limit, from one that is not behind it on: near in most cases, so steps grow. */
function firstAbove(numbers: readonly number[], limit: number, from: number): number {
  let [low, step] = [from, 1];
  while ((numbers[low + step - 1] ?? Infinity) <= limit) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step - 1, numbers.length);
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
