import { digestOf } from '../core/digest.ts';
import type { WorkspaceStore } from './workspace-store.ts';

/** Which files a run has read or written with its file tools, and with what in them: only those may it overwrite. */
export class SeenFiles {
  readonly #store: WorkspaceStore;
  readonly #noted = new Map<string, string>();

  constructor(store: WorkspaceStore) {
    this.#store = store;
  }

  /** `changed`: seen, but with something else in it. */
  stateOf(path: string, bytes: Uint8Array): 'seen' | 'changed' | 'unseen' {
    const known = this.#noted.get(path) ?? this.#store.seen(path);
    if (known === null) return 'unseen';
    return known === digestOf(bytes) ? 'seen' : 'changed';
  }

  note(path: string, bytes: Uint8Array): void {
    this.#noted.set(path, digestOf(bytes));
  }

  apply(): void {
    for (const [path, digest] of this.#noted) this.#store.see(path, digest);
  }
}
