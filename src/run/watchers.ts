import { RUN_LIMITS } from '../core/limits.ts';

/** Readers that wait for a run to do something. They are held in memory, so that whoever asks in vain asks again. */
export class Watchers {
  readonly #waiting = new Set<() => void>();

  /** Resolves with the next change, or after that time. False, and at once, where too many wait already. */
  async change(milliseconds: number): Promise<boolean> {
    if (this.#waiting.size >= RUN_LIMITS.watchers || milliseconds <= 0) return false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, milliseconds);
      const waiting = this.#waiting;
      function done(): void {
        clearTimeout(timer);
        waiting.delete(done);
        resolve();
      }
      waiting.add(done);
    });
    return true;
  }

  changed(): void {
    for (const done of this.#waiting) done();
  }
}
