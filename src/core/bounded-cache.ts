/**
 * What one isolate remembers. Once there is too much of it, what came first goes first, but for what was used since it was
 * last looked at: that goes round once more. Nearly the order of use, for a look-up that moves nothing.
 */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, { value: Value; size: number; used: boolean }>();
  readonly #capacity: number;
  #size = 0;

  /** `capacity` is in the unit of the sizes given to `set`. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    entry.used = true;
    return entry.value;
  }

  set(key: Key, value: Value, size = 1): void {
    this.delete(key);
    if (size > this.#capacity) return;
    this.#entries.set(key, { value, size, used: false });
    this.#size += size;
    for (const [oldest, entry] of this.#entries) {
      if (this.#size <= this.#capacity) break;
      if (oldest === key) continue;
      if (entry.used) {
        entry.used = false;
        this.#entries.delete(oldest);
        this.#entries.set(oldest, entry);
      } else this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
