/** How far apart the places are that are counted to once and for all. */
const STEP = 64;
/** Of four bytes at once: whether they are ASCII. */
const WORD = 4;
const HIGH = 0x80808080 | 0;

/** Offsets of the bytes of a text as those of its UTF-16 units. */
export class Units {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  /** Units in front of every `STEP`th byte, as far as somebody asked. */
  readonly #known: number[] = [0];
  /** The last answer: what is asked for next is often close behind it. */
  #last = { offset: 0, units: 0 };

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  of(offset: number): number {
    const { offset: from, units } = isNear(offset - this.#last.offset)
      ? this.#last
      : this.#stepBefore(offset);
    this.#last = { offset, units: units + this.#count(from, offset) };
    return this.#last.units;
  }

  #stepBefore(offset: number): { offset: number; units: number } {
    const step = Math.floor(offset / STEP);
    for (let next = this.#known.length; next <= step; next += 1)
      this.#known.push((this.#known[next - 1] ?? 0) + this.#count((next - 1) * STEP, next * STEP));
    return { offset: step * STEP, units: this.#known[step] ?? 0 };
  }

  #count(start: number, end: number): number {
    let units = 0;
    let at = start;
    while (at < end) {
      if (at + WORD <= end && (this.#view.getInt32(at, true) & HIGH) === 0) {
        units += WORD;
        at += WORD;
        continue;
      }
      const byte = this.#bytes[at] ?? 0;
      // Bytes that continue a character count nothing, the first of four counts for a pair.
      if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
      at += 1;
    }
    return units;
  }
}

function isNear(distance: number): boolean {
  return distance >= 0 && distance < STEP;
}
