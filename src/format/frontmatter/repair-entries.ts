import { SKILL_LIMITS } from '../../core/limits.ts';
import { type Entry, KEY_LINE, splitEntries } from './split-entries.ts';
import { parseYaml } from './yaml-document.ts';
import { YamlWalk } from './yaml-walk.ts';

export interface Repair {
  /** The frontmatter with as many lines as before, so that every line keeps its number. */
  readonly text: string;
  /** 0-based lines that were put into quotes. */
  readonly quoted: readonly number[];
  /** 0-based lines of collections that were not indented enough and now stand on one line. */
  readonly joined: readonly number[];
  /** 0-based lines that belong to no key and were taken out. */
  readonly removed: readonly number[];
}

/** `key: value`, possibly indented and an item of a list. */
const MEMBER_LINE = /^([ \t]*(?:- +)?)([\w.-]+):[ \t]+(\S.*)$/;

/**
 * Puts quotes around the values that YAML cannot read, and only those: each key is tried on its own, so a list that is
 * fine stays a list. Null where nothing can be done: too many keys to try, or no fault in any of them.
 */
export function repairEntries(text: string): Repair | null {
  const { entries, strays } = splitEntries(text);
  if (entries.length > SKILL_LIMITS.repairedKeys) return null;
  const lines = text.split('\n');
  const quoted: number[] = [];
  const joined: number[] = [];
  for (const stray of strays) lines[stray.index] = '';
  for (const entry of entries) {
    if (isSound(entry.lines.join('\n'), text)) continue;
    const whole = joinCollection(entry);
    const repaired = whole ? { lines: whole, quoted: [] } : (quoteMembers(entry) ?? quoteWhole(entry));
    for (const [index, line] of repaired.lines.entries()) lines[entry.start + index] = line;
    if (whole) joined.push(entry.start);
    quoted.push(...repaired.quoted);
  }
  if (quoted.length + joined.length + strays.length === 0) return null;
  return { text: lines.join('\n'), quoted, joined, removed: strays.map((stray) => stray.index) };
}

interface Quoted {
  readonly lines: readonly string[];
  readonly quoted: readonly number[];
}

/** A map or a list below the key: the members on one line that are faulty. Null if that does not make it sound. */
function quoteMembers(entry: Entry): Quoted | null {
  const first = KEY_LINE.exec(entry.lines[0] ?? '')?.[2]?.trim() ?? '';
  if (first !== '' && !first.startsWith('#')) return null;
  const quoted: number[] = [];
  const lines = entry.lines.map((line, index) => {
    const member = MEMBER_LINE.exec(line);
    if (index === 0 || !member || quoted.length >= SKILL_LIMITS.repairedKeys) return line;
    const [, indent, key, value] = member;
    if (isSound(`${key}: ${value}`) || isBlockHeader(value ?? '')) return line;
    quoted.push(entry.start + index);
    return `${indent}${key}: ${inQuotes(value ?? '')}`;
  });
  return quoted.length > 0 && isSound(lines.join('\n')) ? { lines, quoted } : null;
}

/** JSON over several lines is indented as its author likes, which YAML minds: on one line it does not. */
function joinCollection(entry: Entry): string[] | null {
  const parts = valueParts(entry);
  if (entry.lines.length === 1 || !/^[[{]/.test(parts[0] ?? '')) return null;
  const line = `${entry.key}: ${parts.join(' ')}`;
  return isSound(line) ? [line, ...entry.lines.slice(1).map(() => '')] : null;
}

/** Everything behind the key as one text; lines that go on below are joined to it, as YAML does with plain text. */
function quoteWhole(entry: Entry): Quoted {
  const line = `${JSON.stringify(entry.key)}: ${inQuotes(valueParts(entry).join(' '))}`;
  return { lines: [line, ...entry.lines.slice(1).map(() => '')], quoted: [entry.start] };
}

/** What stands behind the key, line by line, without a block header. */
export function valueParts(entry: Entry): string[] {
  const [head = '', ...rest] = entry.lines;
  const first = KEY_LINE.exec(head)?.[2] ?? '';
  return [isBlockHeader(first) ? '' : first, ...rest].map((part) => part.trim()).filter(Boolean);
}

/** `all`: the text around it, in which an alias may have its anchor. Without one it is text with a star. */
function isSound(text: string, all = text): boolean {
  const { document, problem } = parseYaml(text);
  if (problem) return false;
  const walk = new YamlWalk(text);
  walk.toJson(document.contents);
  return walk.alias === null || all.includes(`&${walk.alias.name}`);
}

/** A value that was quoted already, though not closed well enough for YAML, is not quoted twice. */
function inQuotes(value: string): string {
  return JSON.stringify(isQuoted(value) ? value.slice(1, -1) : value);
}

export function isQuoted(value: string): boolean {
  return value.length > 1 && (/^"(?:[^"\\]|\\.)*"$/.test(value) || /^'(?:[^']|'')*'$/.test(value));
}

function isBlockHeader(value: string): boolean {
  return /^[|>][+-]?\d?[+-]?$/.test(value.trim());
}
