import { SKILL_LIMITS } from '../core/limits.ts';
import { type Entry, KEY_LINE, splitEntries } from './split-entries.ts';
import { parseYaml } from './yaml-document.ts';
import { YamlWalk } from './yaml-walk.ts';

export interface Repair {
  /** The frontmatter with as many lines as before, so that every line keeps its number. */
  readonly text: string;
  /** 0-based lines that were put into quotes. */
  readonly quoted: readonly number[];
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
  for (const stray of strays) lines[stray.index] = '';
  for (const entry of entries) {
    if (isSound(entry.lines.join('\n'))) continue;
    const repaired = quoteMembers(entry) ?? quoteWhole(entry);
    for (const [index, line] of repaired.lines.entries()) lines[entry.start + index] = line;
    quoted.push(...repaired.quoted);
  }
  if (quoted.length === 0 && strays.length === 0) return null;
  return { text: lines.join('\n'), quoted, removed: strays.map((stray) => stray.index) };
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

/** Everything behind the key as one text; lines that go on below are joined to it, as YAML does with plain text. */
function quoteWhole(entry: Entry): Quoted {
  const [head = '', ...rest] = entry.lines;
  const match = KEY_LINE.exec(head);
  const first = match?.[2] ?? '';
  const parts = [isBlockHeader(first) ? '' : first, ...rest].map((part) => part.trim()).filter(Boolean);
  const value = `${match?.[1] ?? entry.key}: ${inQuotes(parts.join(' '))}`;
  return { lines: [value, ...rest.map(() => '')], quoted: [entry.start] };
}

function isSound(text: string): boolean {
  const { document, problem } = parseYaml(text);
  if (problem) return false;
  const walk = new YamlWalk(text);
  walk.toJson(document.contents);
  return walk.alias === null;
}

/** A value that was quoted already, though not closed well enough for YAML, is not quoted twice. */
function inQuotes(value: string): string {
  return JSON.stringify(isQuoted(value) ? value.slice(1, -1) : value);
}

export function isQuoted(value: string): boolean {
  return value.length > 1 && (/^"(?:[^"\\]|\\.)*"$/.test(value) || /^'(?:[^']|'')*'$/.test(value));
}

export function isBlockHeader(value: string): boolean {
  return /^[|>][+-]?\d?[+-]?$/.test(value.trim());
}
