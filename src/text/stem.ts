/**
 * Endings that are taken off, longest first. English only, and rough on purpose: `deploys`, `deploying`, `deployed` and
 * `deployment` meet at one stem, and both the index and the query are cut the same way.
 */
const ENDINGS: readonly { readonly ending: string; readonly leaves: number; readonly becomes: string }[] = [
  { ending: 'ations', leaves: 4, becomes: 'at' },
  { ending: 'ation', leaves: 4, becomes: 'at' },
  { ending: 'ments', leaves: 4, becomes: '' },
  { ending: 'ment', leaves: 4, becomes: '' },
  { ending: 'tions', leaves: 3, becomes: 't' },
  { ending: 'tion', leaves: 3, becomes: 't' },
  { ending: 'sions', leaves: 3, becomes: 's' },
  { ending: 'sion', leaves: 3, becomes: 's' },
  { ending: 'tors', leaves: 4, becomes: 't' },
  { ending: 'tor', leaves: 4, becomes: 't' },
  { ending: 'ings', leaves: 3, becomes: '' },
  { ending: 'ing', leaves: 3, becomes: '' },
  { ending: 'ies', leaves: 2, becomes: 'y' },
  { ending: 'ers', leaves: 4, becomes: '' },
  { ending: 'er', leaves: 4, becomes: '' },
  { ending: 'ed', leaves: 3, becomes: '' },
  { ending: 'ly', leaves: 4, becomes: '' },
  { ending: 'es', leaves: 3, becomes: '' },
  { ending: 's', leaves: 3, becomes: '' },
];

const ASCII_WORD = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;
/** `class`, `status` and `analysis`, but not `cpus` and `apis`. */
const SINGULAR = /ss$|^.{3,}[ui]s$/;
const DOUBLED = /([bdgmnprt])\1$/;

/** The stem of a lower-case word; words with digits or of another alphabet stay as they are. */
export function stemOf(word: string): string {
  if (!ASCII_WORD.test(word) || SINGULAR.test(word)) return word;
  for (const { ending, leaves, becomes } of ENDINGS) {
    if (!word.endsWith(ending)) continue;
    const left = word.slice(0, -ending.length);
    if (left.length < leaves || !(ending === 's' || VOWEL.test(left))) continue;
    // `planned` is `plan`.
    const single = becomes === '' && DOUBLED.test(left) ? left.slice(0, -1) : left;
    return unify(single + becomes);
  }
  return unify(word);
}

/** `create` and `creating`, `query` and `queries` end alike. */
function unify(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith('e')) return word.slice(0, -1);
  return word.endsWith('y') ? `${word.slice(0, -1)}i` : word;
}
