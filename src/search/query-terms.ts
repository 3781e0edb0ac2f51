import { z } from 'zod';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { completions, corrections } from './spellings.ts';
import { rowsOf, type Sql } from './sql.ts';
import { contentWords } from '../text/stop-words.ts';
import { termsOf } from '../text/words.ts';

/** How a word of the query stands in this index. */
export interface QueryTerm {
  /** As it was asked for. */
  readonly term: string;
  /** What is looked for: the term itself, or what it may have been meant for, each with what a match is worth. */
  readonly variants: readonly { readonly term: string; readonly weight: number }[];
  /** Skills that have one of the variants. */
  readonly documents: number;
}

const CountRow = z.object({ term: z.string(), doc: z.number() });

const COMPLETED = 0.8;
const CORRECTED = 0.7;

/** The words of a query that say something, each once, in their order. The same for every index. */
export function termsOfQuery(query: string): string[] {
  const text = query.slice(0, SEARCH_LIMITS.queryCharacters);
  const words = termsOf(text, SEARCH_LIMITS.queryCharacters);
  const meaning = contentWords(text)
    .map(({ term }) => term)
    .filter((term) => term.length > 1 || !/[a-z]/.test(term));
  return [...new Set(meaning.length > 0 ? meaning : words)].slice(0, SEARCH_LIMITS.queryTerms);
}

/** Looks every term up; one that is not there is taken for the beginning of another, or for a misspelling. */
export function lookUpTerms(sql: Sql, terms: readonly string[]): QueryTerm[] {
  const counts = countDocuments(sql, terms);
  return terms.map((term): QueryTerm => {
    const documents = counts.get(term) ?? 0;
    if (documents > 0) return { term, variants: [{ term, weight: 1 }], documents };
    const completed = completions(sql, term);
    const guesses = completed.length > 0 ? completed : corrections(sql, term);
    const weight = completed.length > 0 ? COMPLETED : CORRECTED;
    const found = [...countDocuments(sql, guesses)];
    return {
      term,
      variants: found.map(([guess]) => ({ term: guess, weight })),
      documents: found.reduce((sum, [, count]) => sum + count, 0),
    };
  });
}

/** In how many skills each term is. One statement a term: each is a look-up, a join would walk the whole vocabulary. */
function countDocuments(sql: Sql, terms: readonly string[]): Map<string, number> {
  const rows = terms.flatMap((term) =>
    rowsOf(sql, CountRow, 'SELECT term, doc FROM vocabulary WHERE term = ?', term),
  );
  return new Map(rows.map(({ term, doc }) => [term, doc]));
}
