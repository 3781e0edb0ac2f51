import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/**
 * Whether git ignores a folder below `root`, by every .gitignore from the repository's top down; the deepest one that
 * says something decides. Nested skills of such folders are other people's: build output, vendored code.
 */
export function gitIgnored(root: string): (path: string) => boolean {
  const top = repositoryOf(root) ?? resolve(root);
  const known = new Map<string, Ignore | null>();
  const rulesOf = (folder: string): Ignore | null => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    const files = [
      ...(folder === top ? [join(top, '.git/info/exclude')] : []),
      join(folder, '.gitignore'),
    ].filter((file) => existsSync(file));
    const rules =
      files.length === 0 ? null : ignore().add(files.map((file) => readFileSync(file, 'utf8')).join('\n'));
    known.set(folder, rules);
    return rules;
  };
  return (path) => {
    const folder = resolve(root, path);
    for (let above = dirname(folder); isInside(above, top); above = dirname(above)) {
      const result = rulesOf(above)?.test(`${relative(above, folder).split(sep).join('/')}/`);
      if (result?.ignored) return true;
      if (result?.unignored) return false;
      if (above === top) break;
    }
    return false;
  };
}

/** The folder with the `.git` that a folder belongs to. */
export function repositoryOf(folder: string): string | null {
  for (let above = resolve(folder); ; above = dirname(above)) {
    if (existsSync(join(above, '.git'))) return above;
    if (dirname(above) === above) return null;
  }
}

function isInside(folder: string, top: string): boolean {
  return folder === top || folder.startsWith(top.endsWith(sep) ? top : top + sep);
}
