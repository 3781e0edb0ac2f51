import type { IndexEntry, IndexPage } from '../catalog/listing-index.ts';
import { isUntrusted } from '../catalog/provenance.ts';
import type { Digest } from '../core/digest.ts';
import { foldName } from '../format/fold-name.ts';
import { visibleName } from '../listing/visible-text.ts';

/** What is read as it is written, which is almost every name. */
const PLAIN = /^[\da-z](?:[\da-z._:/-]*[\da-z._/-])?$/;

/** What is left of a name for a reader of a listing: two names with the same are one for layers that are not trusted. */
export function nameAsRead(name: string): string {
  if (PLAIN.test(name)) return name;
  return foldName(visibleName(foldName(name)));
}

type Named = Pick<IndexEntry, 'name' | 'revision' | 'trust'>;

/**
 * Names of a view, in precedence order. Exactly equal names are one; a skill from anybody also loses against a name that
 * only looks different. Folding every name costs time, so it is done only where there is a skill from anybody.
 */
export class TakenNames {
  readonly #revisions = new Map<string, Digest>();
  readonly #folded = new Set<string>();
  readonly #shadowed = new Set<string>();
  readonly #guarded: boolean;

  constructor(guarded: boolean) {
    this.#guarded = guarded;
  }

  /** `same`: the very skill was there before. `shadowed`: another one has the name. */
  take({ name, revision, trust }: Named): 'new' | 'same' | 'shadowed' {
    const before = this.#revisions.get(name);
    if (before !== undefined) {
      const twin = `${name}\n${revision}`;
      if (before === revision || this.#shadowed.has(twin)) return 'same';
      this.#shadowed.add(twin);
      return 'shadowed';
    }
    const folded = this.#guarded ? nameAsRead(name) : name;
    if (isUntrusted(trust) && this.#folded.has(folded)) return 'shadowed';
    this.#revisions.set(name, revision);
    this.#folded.add(folded);
    return 'new';
  }
}

/** The spellings of an index page by their folds, made once for each page that is remembered. */
const spellings = new WeakMap<IndexPage, ReadonlyMap<string, readonly string[]>>();

/** True where a page has a name that is not the given one and looks the same. */
export function hasLookalike(page: IndexPage, name: string): boolean {
  const known = spellings.get(page) ?? spellingsOf(page);
  spellings.set(page, known);
  return known.get(nameAsRead(name))?.some((other) => other !== name) ?? false;
}

function spellingsOf({ entries }: IndexPage): Map<string, string[]> {
  const folds = new Map<string, string[]>();
  for (const { name } of entries) {
    const fold = nameAsRead(name);
    folds.set(fold, [...(folds.get(fold) ?? []), name]);
  }
  return folds;
}
