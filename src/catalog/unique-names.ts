import { byCodeUnit } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { plainText } from '../core/plain-text.ts';
import { EntryName } from './catalog-entry.ts';

/** A skill found in a layer's source, before it has a catalog name. `folder` is '' for the source itself. */
export interface NamedFolder {
  readonly name: string;
  readonly revision: Digest;
  readonly folder: string;
  /** Compared first, number by number: the smaller keeps the bare name. */
  readonly rank?: readonly number[];
  /** The folder below which it is active: it qualifies the name of a loser. */
  readonly scope?: string | null;
  /** The real path of its SKILL.md, where links may lead to one file twice. */
  readonly realPath?: string | null;
  /** Its name also clashes with one that only looks the same. */
  readonly untrusted?: boolean;
}

/** A catalog name, and every folder that holds this very skill. */
export interface UniqueName<Found extends NamedFolder> {
  readonly name: string;
  readonly found: Found;
  readonly origins: readonly string[];
}

export interface Naming<Found extends NamedFolder> {
  readonly names: readonly UniqueName<Found>[];
  /** Folders whose skill is known under a qualified name, with the winner's folder and its name. */
  readonly clashes: readonly {
    readonly folder: string;
    readonly name: string;
    readonly qualified: string;
    readonly winner: string;
    readonly winnerName: string;
  }[];
  /** Folders whose skill equals one found before. */
  readonly merged: readonly { readonly folder: string; readonly name: string; readonly into: string }[];
}

interface Taken<Found> {
  readonly name: string;
  readonly found: Found;
  readonly origins: string[];
}

/**
 * Gives every skill of one layer a name of its own. The smallest rank, then the shallowest folder, then the first by path
 * keeps the bare name; the others become `scope:name` or `dir:name`, `dir` being the folder that holds theirs. One file,
 * and equal (name, revision), are one skill. `fold` gives names that look the same one spelling.
 */
export function uniqueNames<Found extends NamedFolder>(
  found: readonly Found[],
  fold: (name: string) => string = (name) => name,
): Naming<Found> {
  const taken = new Map<string, Taken<Found>>();
  const lookalikes = new Map<string, Taken<Found>>();
  const known = new Map<string, Taken<Found>>();
  const clashes: Naming<Found>['clashes'][number][] = [];
  const merged: Naming<Found>['merged'][number][] = [];
  // Folding costs time, and only names from anybody are looked at that way.
  const guarded = found.some(({ untrusted }) => untrusted === true);
  const holder = (name: string, untrusted: boolean): Taken<Found> | undefined =>
    taken.get(name) ?? (untrusted ? lookalikes.get(fold(name)) : undefined);
  for (const skill of found.toSorted(byRank)) {
    const { folder, name: wanted } = skill;
    const identities = identitiesOf(skill);
    const twin = identities.same.map((identity) => known.get(identity)).find((other) => other !== undefined);
    if (twin) {
      twin.origins.push(folder);
      merged.push({ folder, name: twin.name, into: twin.found.folder });
      continue;
    }
    const winner = holder(wanted, skill.untrusted === true);
    const name = winner
      ? qualifiedName(skill, (candidate) => !holder(candidate, skill.untrusted === true))
      : wanted;
    if (winner) {
      const { found: first, name: winnerName } = winner;
      clashes.push({ folder, name: wanted, qualified: name, winner: first.folder, winnerName });
    }
    const own: Taken<Found> = { name, found: skill, origins: [folder] };
    taken.set(name, own);
    if (guarded && !lookalikes.has(fold(name))) lookalikes.set(fold(name), own);
    for (const identity of identities.own) known.set(identity, own);
  }
  const names = [...taken.values()].toSorted((left, right) => byCodeUnit(left.name, right.name));
  return { names, clashes, merged };
}

/** What makes two findings one skill, one key for each reason. */
function identitiesOf({ name, revision, scope, realPath }: NamedFolder): { own: string[]; same: string[] } {
  const same = [`${name}\n${revision}`, ...(typeof realPath === 'string' ? [`\n${realPath}`] : [])];
  if (typeof scope !== 'string') return { own: same, same };
  // Below another folder it is another skill, unless there is one that is active everywhere.
  const own = same.map((identity) => `${identity}\n${scope}`);
  return { own, same: [...same, ...own] };
}

function qualifiedName(skill: NamedFolder, isFree: (name: string) => boolean): string {
  const { name, folder, scope } = skill;
  const candidates = [scope ?? '', parent(folder), folder]
    .filter((qualifier) => qualifier !== '')
    .map((qualifier) => `${plainText(qualifier)}:${name}`);
  const free = candidates.find((candidate) => EntryName.safeParse(candidate).success && isFree(candidate));
  return free ?? `${digestOf(folder).slice(-16)}:${name}`;
}

function byRank(left: NamedFolder, right: NamedFolder): number {
  const [ours, theirs] = [left.rank ?? [], right.rank ?? []];
  const decisive = ours.findIndex((number, index) => number !== theirs[index]);
  if (decisive !== -1) return (ours[decisive] ?? 0) - (theirs[decisive] ?? 0);
  return depth(left.folder) - depth(right.folder) || byCodeUnit(left.folder, right.folder);
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function parent(folder: string): string {
  const end = folder.lastIndexOf('/');
  return end === -1 ? '' : folder.slice(0, end);
}
