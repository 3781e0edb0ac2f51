import type { Diagnostic } from '../format/diagnostic.ts';

/** Remarks in order, each once: a file that belongs to two skills is looked at twice. */
export class Remarks {
  readonly all: Diagnostic[] = [];
  readonly #seen = new Set<string>();

  add(more: readonly Diagnostic[]): void {
    for (const entry of more) {
      const key = `${entry.path}\n${entry.line}\n${entry.code}\n${entry.message}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.all.push(entry);
    }
  }
}
