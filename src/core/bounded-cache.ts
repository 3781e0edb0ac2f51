/** What one isolate remembers: the least recently used goes first once there is too much of it. */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, { value: Value; size: number }>();
  readonly #capacity: number;
  #size = 0;

  /** `capacity` is in the unit of the sizes given to `set`. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: Key, value: Value, size = 1): void {
    this.delete(key);
    if (size > this.#capacity) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#capacity) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
