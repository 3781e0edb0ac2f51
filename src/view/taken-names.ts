import type { IndexEntry } from '../catalog/listing-index.ts';
import type { Digest } from '../core/digest.ts';
import { foldName } from '../format/fold-name.ts';

type Named = Pick<IndexEntry, 'name' | 'revision' | 'trust'>;

/**
 * Names of a view, in precedence order. Exactly equal names are one; a skill from anybody also loses against a name that
 * only looks different. Folding every name costs time, so it is done only where there is a skill from anybody.
 */
export class TakenNames {
  readonly #revisions = new Map<string, Digest>();
  readonly #folded = new Set<string>();
  readonly #guarded: boolean;

  constructor(guarded: boolean) {
    this.#guarded = guarded;
  }

  /** `same`: the very skill was there before. `shadowed`: another one has the name. */
  take({ name, revision, trust }: Named): 'new' | 'same' | 'shadowed' {
    const before = this.#revisions.get(name);
    if (before !== undefined) return before === revision ? 'same' : 'shadowed';
    const folded = this.#guarded ? foldName(name) : name;
    if (trust === 'community' && this.#folded.has(folded)) return 'shadowed';
    this.#revisions.set(name, revision);
    this.#folded.add(folded);
    return 'new';
  }
}

/** True where one of these names is not the given one and looks the same. */
export function hasLookalike(entries: readonly Pick<Named, 'name'>[], name: string): boolean {
  const folded = foldName(name);
  return entries.some((entry) => entry.name !== name && foldName(entry.name) === folded);
}
