import { type Word, wordsOf } from './words.ts';

/** Words of English requests that say nothing about what is wanted. Queries, messages and phrases lose them, an index never. */
const TEXT = `a about after all also am an and any are as at be been before being but by can cannot could did do does doing
  don for from get gets give had has have having he help her here him his how i if in into is isn it its just keep let like
  ll make makes me might more most must my need needs no not now of off on once one only or other our out over own please
  put re same she should so some something than that the their them then there these they thing things this those through
  to too until up us ve very want wants was way we were what when where which while who why will with without would you
  your yours`;

const TERMS: ReadonlySet<string> = new Set([...wordsOf(TEXT)].map(({ term }) => term));

/** Whether a word of a text says nothing about what is wanted. Notes do, though their stem is that of `not`. */
function isStopWord({ term, start, end }: Word, text: string): boolean {
  return TERMS.has(term) && (term !== 'not' || text.slice(start, end).toLowerCase() === 'not');
}

/** The words of a text that say something. */
export function contentWords(text: string): Word[] {
  return [...wordsOf(text)].filter((word) => !isStopWord(word, text));
}
