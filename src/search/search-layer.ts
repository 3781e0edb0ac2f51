import { z } from 'zod';
import { SEARCH_LIMITS } from '../core/limits.ts';
import { parseJson } from '../view/json-document.ts';
import type { LayerMatches, SearchQuery } from '../view/ports.ts';
import { scoreOf, statisticsOf } from '../view/score-hits.ts';
import { type CandidateRow, findCandidates } from './find-candidates.ts';
import { FIELDS } from './index-skill.ts';
import { lookUpTerms, type QueryTerm, termsOfQuery } from './query-terms.ts';
import { FIELD_WEIGHTS } from './search-schema.ts';
import { snippetOf } from './snippet.ts';
import { rowsOf, type Sql } from './sql.ts';

const TotalsRow = z.object({ skills: z.number(), length: z.number() });
const Fields = z.array(z.string());
/** Beside other layers a row can rank a little differently than here; so many times the rows that are shown are sent. */
const SPARE = 2;

/** Searches one layer's index: bounded in the query, in the rows that are ranked and in those that are answered. */
export function searchLayer(sql: Sql, { text, limit, hidden, forModels = false }: SearchQuery): LayerMatches {
  const terms = lookUpTerms(sql, termsOfQuery(text));
  const [totals] = rowsOf(sql, TotalsRow, 'SELECT skills, length FROM totals');
  const matched = new Set(terms.flatMap(({ variants }) => variants.map(({ term }) => term)));
  const found = findVisible(sql, terms, limit * SPARE, { hidden: new Set(hidden), forModels });
  const candidates = found.map((row) => ({ ...row, frequencies: frequenciesOf(row, terms, matched) }));
  const all = {
    skills: totals?.skills ?? 0,
    length: totals?.length ?? 0,
    terms: terms.map(({ documents }) => documents),
    hits: [],
  };
  const statistics = statisticsOf([all]);
  const best = candidates
    .map((row) => ({ row, score: scoreOf(row, statistics) }))
    .toSorted((left, right) => right.score - left.score)
    .slice(0, limit * SPARE);
  return {
    ...all,
    hits: best.map(({ row }) => ({
      name: row.name,
      revision: row.revision,
      listing: row.listing,
      trust: row.trust,
      length: row.length,
      frequencies: row.frequencies,
      snippet: snippetOf(row.description, matched),
    })),
  };
}

/** Rows that the caller may see. Where too few of the best are such, more of them are looked at. */
function findVisible(
  sql: Sql,
  terms: readonly QueryTerm[],
  wanted: number,
  { hidden, forModels }: { readonly hidden: ReadonlySet<string>; readonly forModels: boolean },
): CandidateRow[] {
  const most = SEARCH_LIMITS.rankedRows + hidden.size;
  let limit = Math.max(SEARCH_LIMITS.candidates, wanted) + hidden.size;
  for (;;) {
    const found = findCandidates(sql, terms, limit);
    const visible = found.filter(
      ({ name, listing }) => !hidden.has(name) && !(forModels && listing === 'manual'),
    );
    if (visible.length >= wanted || found.length < limit || limit >= most) return visible;
    limit = Math.min(limit * 8, most);
  }
}

/** How often each term of the query is in a skill, every place counted by what its field weighs. */
function frequenciesOf(
  row: CandidateRow,
  terms: readonly QueryTerm[],
  matched: ReadonlySet<string>,
): number[] {
  const counts = new Map<string, number>();
  const fields = parseJson(Fields, row.terms) ?? [];
  for (const [index, field] of FIELDS.entries()) {
    for (const term of fields[index]?.split(' ') ?? [])
      if (matched.has(term)) counts.set(term, (counts.get(term) ?? 0) + FIELD_WEIGHTS[field]);
  }
  return terms.map(({ variants }) =>
    variants.reduce((sum, { term, weight }) => sum + weight * (counts.get(term) ?? 0), 0),
  );
}
