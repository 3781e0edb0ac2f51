import type { FrontmatterKey } from './frontmatter-key.ts';

const KEY_LINE = /^([A-Za-z_][A-Za-z0-9_.-]*):[ \t]+(\S.*)$/;
/** Characters that begin something else in YAML, or end a plain scalar. */
const RISKY = /[{}[\]*&#!|>%@`]|: |:$|^[,?-] ?/;

/**
 * Quotes the values that YAML may stumble over: single-line values at column 0 that are not quoted already. `changed`
 * holds their 0-based lines. Values that continue on indented lines are left alone.
 */
export function quoteRiskyLines(text: string): { text: string; changed: number[] } {
  const changed: number[] = [];
  const lines = text.split('\n');
  const repaired = lines.map((line, index) => {
    const match = KEY_LINE.exec(line);
    const value = match?.[2]?.trimEnd() ?? '';
    if (!match || isQuoted(value) || isBlockHeader(value) || !RISKY.test(value)) return line;
    if (/^[ \t]+\S/.test(lines[index + 1] ?? '')) return line;
    changed.push(index);
    return `${match[1]}: "${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
  });
  return { text: repaired.join('\n'), changed };
}

/** The last resort: `key: value` at column 0, indented lines joined to the value before them. */
export function readLines(text: string, firstLine: number): Map<string, FrontmatterKey> {
  const keys = new Map<string, FrontmatterKey>();
  let current: { key: string; parts: string[]; line: number } | null = null;
  const close = (): void => {
    if (!current) return;
    const value = unquote(current.parts.join(' ').trim());
    keys.set(current.key, { value, source: value, line: current.line });
  };
  for (const [index, line] of text.split('\n').entries()) {
    const match = /^([A-Za-z_][A-Za-z0-9_.-]*):(?:[ \t]+(.*))?$/.exec(line);
    if (match) {
      close();
      const rest = match[2] ?? '';
      current = { key: match[1] ?? '', parts: isBlockHeader(rest) ? [] : [rest], line: firstLine + index };
    } else if (current && /^[ \t]+\S/.test(line)) {
      current.parts.push(line.trim());
    }
  }
  close();
  return keys;
}

function isQuoted(value: string): boolean {
  return value.length > 1 && (/^"(?:[^"\\]|\\.)*"$/.test(value) || /^'(?:[^']|'')*'$/.test(value));
}

function isBlockHeader(value: string): boolean {
  return /^[|>][+-]?\d?[+-]?$/.test(value.trim());
}

function unquote(value: string): string {
  return isQuoted(value) ? value.slice(1, -1) : value;
}
