import { z } from 'zod';
import { SESSION_LIMITS, SKILL_LIMITS } from '../../core/limits.ts';
import { isWindows, platformName } from '../../format/requires/platform-name.ts';
import { projectPath } from '../../listing/project-path.ts';

/** What a host calls itself. */
export const ProductName = z.string().trim().toLowerCase().min(1).max(SKILL_LIMITS.entryHostCharacters);

/** What a host runs on, by the name that skills are kept under. */
export const PlatformName = ProductName.transform(platformName);

/** What people can type at a host that is no skill, such as `/clear`. */
export const HostCommands = z
  .array(
    z
      .string()
      .trim()
      .transform((name) => name.replace(/^\//, ''))
      .pipe(z.string().min(1).max(SESSION_LIMITS.hostNameCharacters)),
  )
  .max(SESSION_LIMITS.hostCommands);

/** Touched paths as they are matched: without `.` and `..`; those that lead out of the project are left out. */
export function insideProject(paths: readonly string[], platform: string | null): string[] {
  return paths.flatMap((path) => projectPath(path, null, null, isWindows(platform)) ?? []);
}
