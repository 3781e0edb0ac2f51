import { wordsOf } from './words.ts';

/** Words of English requests that say nothing about what is wanted. Only queries lose them, never the index. */
const TEXT = `a about after all also am an and any are as at be been before being but by can cannot could did do does doing
  don for from get gets give had has have having he help her here him his how i if in into is isn it its just keep let like
  ll make makes me might more most must my need needs no not now of off on once one only or other our out over own please
  put re same she should so some something than that the their them then there these they thing things this those through
  to too until up us ve very want wants was way we were what when where which while who why will with without would you
  your yours`;

export const STOP_WORDS: ReadonlySet<string> = new Set([...wordsOf(TEXT)].map(({ term }) => term));
