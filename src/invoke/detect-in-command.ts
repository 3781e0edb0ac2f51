import { DETECT_LIMITS } from '../core/limits.ts';
import { joined, touchedFiles, type TouchKind } from '../detect/touched-files.ts';
import { findNamesakes, type FoundSkill } from '../view/find-skill.ts';
import type { BlobStore } from '../view/ports.ts';
import type { View } from '../view/view.ts';

/** Where a host has skills: one, or, without a name, a folder of them, each in a folder of its own name. */
export interface BaseDirectory {
  readonly path: string;
  readonly skill?: string | undefined;
}

export interface ShellCommand {
  readonly command: string;
  /** Where it runs; relative paths begin there. */
  readonly directory: string;
  readonly baseDirectories: readonly BaseDirectory[];
}

export interface TouchedSkill {
  readonly skill: FoundSkill;
  readonly kind: TouchKind;
  /** Inside of the skill. */
  readonly path: string;
}

interface Touch {
  readonly name: string;
  readonly kind: TouchKind;
  readonly path: string;
}

/**
 * Whose script a shell command runs, or whose SKILL.md it prints. What this view has no skill for is left out, whether or
 * not there is one elsewhere. Whether the skill has such a file is not looked up: the host just ran it.
 */
export async function detectInCommand(
  blobs: BlobStore,
  view: View,
  { command, directory, baseDirectories }: ShellCommand,
): Promise<TouchedSkill[]> {
  const bases = longestFirst(baseDirectories);
  const touches = new Map<string, Touch>();
  for (const file of touchedFiles(command, directory)) {
    const { kind, path, skill: name } = file;
    const touch = name === null ? touchBelow(bases, path, kind) : { name, kind, path };
    if (touch) touches.set(`${touch.name}\n${touch.path}`, touch);
  }
  const named = [...touches.values()];
  const names = [...new Set(named.map(({ name }) => name))].slice(0, DETECT_LIMITS.touchedSkills);
  const found = await findNamesakes(blobs, view, names);
  return named.flatMap(({ name, kind, path }) => {
    const skill = found[names.indexOf(name)]?.[0];
    return skill ? [{ skill, kind, path }] : [];
  });
}

function longestFirst(directories: readonly BaseDirectory[]): readonly BaseDirectory[] {
  return directories
    .map(({ path, skill }) => ({ path: joined('/', path), skill }))
    .toSorted((left, right) => right.path.length - left.path.length);
}

function touchBelow(bases: readonly BaseDirectory[], file: string, kind: TouchKind): Touch | null {
  for (const { path: base, skill } of bases) {
    const below = base === '/' ? base : `${base}/`;
    if (!file.startsWith(below)) continue;
    const rest = file.slice(below.length);
    if (skill !== undefined) return { name: skill, kind, path: rest };
    const slash = rest.indexOf('/');
    if (slash !== -1) return { name: rest.slice(0, slash), kind, path: rest.slice(slash + 1) };
  }
  return null;
}
