import { z } from 'zod';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { rowsOf, type Sql } from './sql.ts';

/** A bound value has at most 2 MB in a Durable Object; a form and its term have at most 200 bytes. */
const FORMS_PER_STATEMENT = 2_000;

const TermRow = z.object({ term: z.string() });

/** Notes new terms under every form that a misspelling of them could share. Terms that are known cost nothing. */
export function learnSpellings(sql: Sql, terms: ReadonlySet<string>): void {
  const list = [...terms].filter(isRemembered);
  const known = rowsOf(
    sql,
    TermRow,
    `SELECT json_each.value AS term FROM json_each(?) JOIN spellings ON form = json_each.value AND term = form`,
    JSON.stringify(list),
  );
  const old = new Set(known.map(({ term }) => term));
  const forms = list
    .filter((term) => !old.has(term))
    .flatMap((term) => formsOf(term).map((form) => [form, term]));
  for (let start = 0; start < forms.length; start += FORMS_PER_STATEMENT) {
    sql.exec(
      `INSERT OR IGNORE INTO spellings (form, term) SELECT value ->> 0, value ->> 1 FROM json_each(?)`,
      JSON.stringify(forms.slice(start, start + FORMS_PER_STATEMENT)),
    );
  }
}

/** Terms that begin like this. */
export function completions(sql: Sql, beginning: string): string[] {
  if (beginning.length < SEARCH_LIMITS.prefixCharacters) return [];
  const rows = rowsOf(
    sql,
    TermRow,
    `SELECT term FROM spellings WHERE form > ? AND form < ? AND term = form LIMIT ?`,
    beginning,
    `${beginning}\u{10ffff}`,
    SEARCH_LIMITS.variants,
  );
  return rows.map(({ term }) => term);
}

/** Terms that differ by one letter more, less, changed or exchanged with its neighbour. */
export function corrections(sql: Sql, term: string): string[] {
  if (!isCorrectable(term)) return [];
  const rows = rowsOf(
    sql,
    TermRow,
    `SELECT DISTINCT spellings.term FROM json_each(?) JOIN spellings ON form = json_each.value LIMIT ?`,
    JSON.stringify(formsOf(term)),
    SEARCH_LIMITS.variants * 8,
  );
  return rows
    .map((row) => row.term)
    .filter((candidate) => isOneMistake(term, candidate))
    .slice(0, SEARCH_LIMITS.variants);
}

/** One letter more, less or changed, or two neighbours exchanged. */
export function isOneMistake(left: string, right: string): boolean {
  if (left === right || Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start += 1;
  const [one, other] = [left.slice(start), right.slice(start)];
  if (one.length > other.length) return one.slice(1) === other;
  if (one.length < other.length) return one === other.slice(1);
  const exchanged = one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2);
  return exchanged || one.slice(1) === other.slice(1);
}

function formsOf(term: string): string[] {
  if (!isCorrectable(term)) return [term];
  const characters = [...term];
  return [...new Set([term, ...characters.map((_, index) => characters.toSpliced(index, 1).join(''))])];
}

function isRemembered(term: string): boolean {
  return term.length >= SEARCH_LIMITS.prefixCharacters;
}

function isCorrectable(term: string): boolean {
  return (
    term.length >= SEARCH_LIMITS.shortestMisspelt &&
    term.length <= SEARCH_LIMITS.longestMisspelt &&
    !/^\d+$/.test(term)
  );
}
