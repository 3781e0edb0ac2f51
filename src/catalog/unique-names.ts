import { byCodeUnit } from '../core/canonical-json.ts';
import type { Digest } from '../core/digest.ts';
import { plainText } from '../core/plain-text.ts';

/** A skill found in a layer's source, before it has a catalog name. `folder` is '' for the source itself. */
export interface NamedFolder {
  readonly name: string;
  readonly revision: Digest;
  readonly folder: string;
}

/** A catalog name, and every folder that holds this very skill. */
export interface UniqueName<Found extends NamedFolder> {
  readonly name: string;
  readonly found: Found;
  readonly origins: readonly string[];
}

export interface Naming<Found extends NamedFolder> {
  readonly names: readonly UniqueName<Found>[];
  /** Folders whose skill is known under a qualified name, with the winner's folder. */
  readonly clashes: readonly {
    readonly folder: string;
    readonly name: string;
    readonly qualified: string;
    readonly winner: string;
  }[];
  /** Folders whose skill equals one found before. */
  readonly merged: readonly { readonly folder: string; readonly name: string; readonly into: string }[];
}

/**
 * Gives every skill of one layer a name of its own. The shallowest folder, then the first by path, keeps the bare name;
 * the others become `dir:name`, `dir` being the folder that holds theirs. Equal (name, revision) merge into one.
 */
export function uniqueNames<Found extends NamedFolder>(found: readonly Found[]): Naming<Found> {
  const ordered = found.toSorted(
    (left, right) => depth(left.folder) - depth(right.folder) || byCodeUnit(left.folder, right.folder),
  );
  const taken = new Map<string, { found: Found; origins: string[] }>();
  const sameSkill = new Map<string, { name: string; origins: string[]; folder: string }>();
  const clashes: Naming<Found>['clashes'][number][] = [];
  const merged: Naming<Found>['merged'][number][] = [];
  const bareWinners = new Map<string, string>();
  for (const skill of ordered) {
    const identity = `${skill.name}\n${skill.revision}`;
    const twin = sameSkill.get(identity);
    if (twin) {
      twin.origins.push(skill.folder);
      merged.push({ folder: skill.folder, name: twin.name, into: twin.folder });
      continue;
    }
    const winner = bareWinners.get(skill.name);
    let name = skill.name;
    if (winner !== undefined || taken.has(name)) {
      name =
        [parent(skill.folder), skill.folder]
          .map((folder) => `${plainText(folder)}:${skill.name}`)
          .find((candidate) => !candidate.startsWith(':') && !taken.has(candidate)) ??
        `${skill.revision.slice(-16)}:${skill.name}`;
      clashes.push({ folder: skill.folder, name: skill.name, qualified: name, winner: winner ?? '' });
    } else {
      bareWinners.set(skill.name, skill.folder);
    }
    const origins = [skill.folder];
    taken.set(name, { found: skill, origins });
    sameSkill.set(identity, { name, origins, folder: skill.folder });
  }
  const names = [...taken].map(([name, value]) => ({ name, found: value.found, origins: value.origins }));
  return { names: names.toSorted((left, right) => byCodeUnit(left.name, right.name)), clashes, merged };
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function parent(folder: string): string {
  const end = folder.lastIndexOf('/');
  return end === -1 ? '' : folder.slice(0, end);
}
