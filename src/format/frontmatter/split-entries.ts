/** A top-level key with everything that belongs to it: lines of a frontmatter, by their 0-based index. */
export interface Entry {
  readonly key: string;
  readonly start: number;
  readonly lines: readonly string[];
}

/** The key of a line, and what stands behind its colon. Quotes around a key are part of it here. */
export const KEY_LINE = /^("[^"\n]*"|'[^'\n]*'|[^\s#"'[\]{}:?-][^\s:]*):(?:[ \t]+(.*))?$/;

/**
 * Cuts a frontmatter at its top-level keys without understanding the values. `strays` are lines at column 0 that no key
 * owns: prose, mostly.
 */
export function splitEntries(text: string): { entries: Entry[]; strays: { line: string; index: number }[] } {
  const entries: { key: string; start: number; lines: string[] }[] = [];
  const strays: { line: string; index: number }[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const key = KEY_LINE.exec(line)?.[1];
    const last = entries.at(-1);
    if (key !== undefined)
      entries.push({ key: key.replaceAll(/^["']|["']$/g, ''), start: index, lines: [line] });
    else if (last && belongs(line)) last.lines.push(line);
    else if (line.trim() !== '' && !line.startsWith('#')) strays.push({ line, index });
  }
  return { entries, strays };
}

/** Indented lines, blank ones, lists and closing brackets at column 0 go on with the key above them. */
function belongs(line: string): boolean {
  return line.trim() === '' || /^(?:[ \t]|- |-$|[\]}],?[ \t]*$)/.test(line);
}
