import { compileGitignore, type PathSegments } from './gitignore.ts';

/** When a skill is of use: once something below `scope` is touched, and, where there are patterns, they take it in. */
export interface Condition {
  /** A folder, relative to the project. */
  readonly scope: string | null;
  /** gitignore patterns, relative to the scope. */
  readonly paths: readonly string[];
}

/**
 * Touched paths as they are matched: with accented letters in one of their two spellings, since file systems differ in
 * that. Those that are not plainly relative to the project match nothing and are left out.
 */
export function touchedPaths(paths: readonly string[]): PathSegments[] {
  return paths
    .map((path) => path.normalize().split('/'))
    .filter((segments) => segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..'))
    .map((segments) => segments.map((segment) => [...segment]));
}

export function isTouched({ scope, paths }: Condition, touched: readonly PathSegments[]): boolean {
  if (touched.length === 0 || (scope === null && paths.length === 0)) return false;
  const folder = scope === null ? [] : scope.normalize().split('/');
  const inside = touched.filter(
    (path) => path.length > folder.length && folder.every((name, at) => path[at]?.join('') === name),
  );
  if (paths.length === 0) return inside.length > 0;
  const takesIn = compileGitignore(paths.map((pattern) => pattern.normalize()));
  return inside.some((path) => takesIn(path.slice(folder.length)));
}

/** What a condition waits for, as patterns relative to the project, for a reader. */
export function patternsOf({ scope, paths }: Condition): string[] {
  const patterns = paths.length === 0 ? ['**'] : paths;
  if (scope === null) return [...patterns];
  return patterns.map((pattern) => {
    const negated = pattern.startsWith('!') ? '!' : '';
    return `${negated}${scope}/${pattern.slice(negated.length).replace(/^\/+/, '')}`;
  });
}
