import { isSkillUrl } from '../catalog/skill-url.ts';

/**
 * A path that a tool touched, relative to the project and without `.` and `..`; null where it is outside of it, or not
 * known to be inside, or a `skill://` file, which is nothing of any project. `project` and `folder` (where a relative path
 * starts; the project itself where nothing is said) are as the host names them. `\\` separates where the host is Windows
 * or one of them begins with a drive, and is a character of a name elsewhere.
 */
export function projectPath(
  path: string,
  project: string | null,
  folder: string | null,
  windows = false,
): string | null {
  if (isSkillUrl(path)) return null;
  const slashed = windows || [path, project ?? '', folder ?? ''].some((each) => DRIVE.test(each));
  const read = (text: string): string => (slashed ? withSlashes(text) : text);
  const absolute = isAbsolute(read(path)) ? read(path) : joined(read(folder ?? ''), read(path));
  if (!isAbsolute(absolute)) return inside(absolute.split('/'));
  if (project === null || !isAbsolute(read(project))) return null;
  const root = resolved(read(project).split('/'));
  const target = resolved(absolute.split('/'));
  if (!root || !target || !root.every((segment, at) => target[at] === segment)) return null;
  return target.length > root.length ? target.slice(root.length).join('/') : null;
}

const DRIVE = /^[A-Za-z]:[\\/]/;

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || DRIVE.test(path);
}

/** Drives are the same in upper and lower case. */
function withSlashes(path: string): string {
  const slashed = path.replaceAll('\\', '/');
  return DRIVE.test(slashed) ? slashed.charAt(0).toLowerCase() + slashed.slice(1) : slashed;
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
