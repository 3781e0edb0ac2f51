import type { Insertion } from './merge-sidecar.ts';

/** The text with the lines in it, ending as the text's own lines do. */
export function insertLines(text: string, insertions: readonly Insertion[]): string {
  const lines = text.split('\n');
  const ending = lines[0]?.endsWith('\r') ? '\r' : '';
  const fromBelow = insertions.toSorted((left, right) => right.afterLine - left.afterLine);
  for (const { afterLine, lines: added } of fromBelow)
    lines.splice(afterLine, 0, ...added.map((line) => line + ending));
  return lines.join('\n');
}

/** The insertions as `diff -U0` writes them. */
export function insertionDiff(path: string, insertions: readonly Insertion[]): string {
  let before = 0;
  const hunks = insertions
    .toSorted((left, right) => left.afterLine - right.afterLine)
    .flatMap(({ afterLine, lines }) => {
      const head = `@@ -${afterLine},0 +${afterLine + before + 1},${lines.length} @@`;
      before += lines.length;
      return [head, ...lines.map((line) => `+${line}`)];
    });
  return [`--- ${path}`, `+++ ${path}`, ...hunks].join('\n');
}
