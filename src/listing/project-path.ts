import { isSkillUrl } from '../catalog/skill-url.ts';

/**
 * A path that a tool touched, relative to the project and without `.` and `..`; null where it is outside of it, or not
 * known to be inside, or a `skill://` file, which is nothing of any project. `project` and `folder` (where a relative path starts; the project itself where nothing is said)
 * are as the host names them. Windows separators count as such only behind a drive.
 */
export function projectPath(path: string, project: string | null, folder: string | null): string | null {
  if (isSkillUrl(path)) return null;
  const absolute = isAbsolute(path) ? path : joined(folder ?? '', path);
  if (!isAbsolute(absolute)) return inside(segmentsOf(absolute));
  if (project === null || !isAbsolute(project)) return null;
  const root = resolved(segmentsOf(project));
  const target = resolved(segmentsOf(absolute));
  if (!root || !target || !root.every((segment, at) => target[at] === segment)) return null;
  return target.length > root.length ? target.slice(root.length).join('/') : null;
}

const DRIVE = /^[A-Za-z]:[\\/]/;

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || DRIVE.test(path);
}

function segmentsOf(path: string): string[] {
  return (DRIVE.test(path) ? path.replaceAll('\\', '/') : path).split('/');
}

function joined(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

function inside(segments: readonly string[]): string | null {
  const target = resolved(segments);
  return target === null || target.length === 0 ? null : target.join('/');
}

/** Null where `..` leads out of what the path starts from. */
function resolved(segments: readonly string[]): string[] | null {
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return null;
  }
  return kept;
}
