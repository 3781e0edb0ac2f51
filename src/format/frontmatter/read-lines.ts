import type { FrontmatterKey } from '../frontmatter-key.ts';
import { isQuoted, valueParts } from './repair-entries.ts';
import { splitEntries } from './split-entries.ts';

/** The last resort: `key: value` at column 0, everything that follows a key joined to its value, and all of it text. */
export function readLines(text: string, firstLine: number): Map<string, FrontmatterKey> {
  const keys = new Map<string, FrontmatterKey>();
  for (const entry of splitEntries(text).entries) {
    const joined = valueParts(entry).join(' ');
    const value = isQuoted(joined) ? joined.slice(1, -1) : joined;
    const line = firstLine + entry.start;
    keys.set(entry.key, { value, source: value, line, placeAt: () => ({ line }) });
  }
  return keys;
}
