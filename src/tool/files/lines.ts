/** Lines without what ends them. A last line that is ended is not followed by another. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** One line as it is shown: beyond its limit it says how much more there is. */
export function shownLine(line: string, limit: number): string {
  return line.length <= limit
    ? line
    : `${line.slice(0, limit).toWellFormed()} [${line.length - limit} more characters]`;
}
