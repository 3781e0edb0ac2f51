import type { Layer } from '../catalog/layers.ts';
import { LISTING_LIMITS } from '../core/limits.ts';
import { isWindows } from '../format/requires/platform-name.ts';
import type { SessionStart, TouchCall } from '../invoke/sessions/session-contract.ts';
import { commandPaths } from '../listing/command-paths.ts';
import { projectPath } from '../listing/project-path.ts';
import { isTouched, touchedPaths } from '../listing/touched-paths.ts';
import { type MergedListing, skillKey } from '../view/listing/merge-listing.ts';

/** The files that a tool call touched, relative to the project; those that are not known to be inside are left out. */
export function pathsOf(call: TouchCall, { projectDirectory, platform }: SessionStart['host']): string[] {
  const named = [...call.paths, ...(call.command === null ? [] : commandPaths(call.command))];
  const paths = named.flatMap(
    (path) => projectPath(path, projectDirectory, call.folder, isWindows(platform)) ?? [],
  );
  return [...new Set(paths)].slice(0, LISTING_LIMITS.touchedPaths);
}

/** Skills that waited for one of these paths, and are not active yet. */
export function activatedBy(
  paths: readonly string[],
  { skills }: MergedListing,
  active: ReadonlySet<string>,
): { name: string; layer: Layer }[] {
  const touched = touchedPaths(paths);
  return skills.flatMap(({ entry, layer, listing }) => {
    const waits = listing === 'conditional' && !active.has(skillKey(layer, entry.name));
    return waits && isTouched(entry, touched) ? [{ name: entry.name, layer }] : [];
  });
}
