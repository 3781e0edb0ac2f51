import { z } from 'zod';
import { SEARCH_LIMITS } from '../core/limits.ts';
import type { QueryTerm } from './query-terms.ts';
import { rowsOf, type Sql } from './sql.ts';

export const CandidateRow = z.object({
  name: z.string(),
  revision: z.string(),
  listing: z.string(),
  trust: z.string(),
  description: z.string(),
  terms: z.string(),
  length: z.number(),
});
export type CandidateRow = z.infer<typeof CandidateRow>;

/**
 * The rows that SQLite's BM25 puts first. Ranking costs time for every row that matches, so common words do not choose
 * rows while rarer ones do; where all are common, names are looked at first and the rest is taken as it comes.
 */
export function findCandidates(sql: Sql, terms: readonly QueryTerm[], limit: number): CandidateRow[] {
  const known = terms
    .filter(({ documents }) => documents > 0)
    .toSorted((left, right) => left.documents - right.documents);
  let ranked = 0;
  const chosen = known.filter(({ documents }) => {
    ranked += documents;
    return ranked <= SEARCH_LIMITS.rankedRows;
  });
  if (chosen.length > 0) return select(sql, anyOf(chosen), 'ORDER BY rank', limit);
  const [rarest] = known;
  if (!rarest) return [];
  const named = select(sql, `name : (${anyOf([rarest])})`, '', limit);
  const names = new Set(named.map(({ name }) => name));
  const others = named.length < limit ? select(sql, anyOf([rarest]), '', limit) : [];
  return [...named, ...others.filter(({ name }) => !names.has(name))].slice(0, limit);
}

function select(sql: Sql, match: string, order: '' | 'ORDER BY rank', limit: number): CandidateRow[] {
  return rowsOf(
    sql,
    CandidateRow,
    `SELECT name, revision, listing, trust, description, terms, length FROM
      (SELECT rowid AS found FROM words WHERE words MATCH ? ${order} LIMIT ?) CROSS JOIN skills ON skills.id = found`,
    match,
    limit,
  );
}

/** Terms are letters and digits; in quotes not even `OR` or `NEAR` is an operator. */
function anyOf(terms: readonly QueryTerm[]): string {
  return terms.flatMap(({ variants }) => variants.map(({ term }) => `"${term}"`)).join(' OR ');
}
