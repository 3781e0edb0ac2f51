import { FaultError } from './fault.ts';

/**
 * The time of one call: as a whole, and without a sign of life. `signal` is aborted when either is over, or the caller
 * gives up; `race` then rejects, whatever the work itself makes of the signal.
 */
export class Deadline {
  readonly #abort = new AbortController();
  readonly #idleMilliseconds: number;
  readonly #timers: { total: ReturnType<typeof setTimeout>; idle: ReturnType<typeof setTimeout> | null };
  readonly #outer: AbortSignal | undefined;
  #ended = false;
  readonly #forward = (): void => this.#abort.abort(this.#outer?.reason);

  constructor(milliseconds: number, idleMilliseconds: number, outer: AbortSignal | undefined) {
    this.#idleMilliseconds = idleMilliseconds;
    const total = setTimeout(() => {
      this.#expire(`the answer was not complete within ${milliseconds} ms`);
    }, milliseconds);
    this.#timers = { total, idle: null };
    this.#outer = outer;
    if (outer?.aborted === true) this.#forward();
    else outer?.addEventListener('abort', this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** A sign of life. */
  touch(): void {
    if (this.#ended) return;
    if (this.#timers.idle !== null) clearTimeout(this.#timers.idle);
    const milliseconds = this.#idleMilliseconds;
    this.#timers.idle = setTimeout(() => this.#expire(`nothing came for ${milliseconds} ms`), milliseconds);
  }

  race<Value>(work: PromiseLike<Value>): Promise<Value> {
    const { signal } = this.#abort;
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
      // The listener goes with the work: an answer has many thousand pieces, each raced for.
      work.then(
        (value) => {
          signal.removeEventListener('abort', stop);
          resolve(value);
        },
        (error: unknown) => {
          signal.removeEventListener('abort', stop);
          reject(error);
        },
      );
    });
  }

  /** Leaves no timer behind, and lets none be set by what still comes: an object with a timer is kept in memory. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timers.total);
    if (this.#timers.idle !== null) clearTimeout(this.#timers.idle);
    this.#outer?.removeEventListener('abort', this.#forward);
  }

  #expire(detail: string): void {
    this.#abort.abort(new FaultError('model_timed_out', detail, false));
  }
}
