/** Format characters and everything that fonts draw as nothing. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const DASHES = /[\p{Dash_Punctuation}\u02d7\u2212\u2796]/gu;
/** The braille blank is drawn as a space without being one. */
const SPACES = /[\p{White_Space}\u2800\p{Cc}]+/gu;

/** What almost every name is made of, and folding leaves alone. */
const PLAIN = /^[\da-z._:/-]*$/;

/**
 * What is left of a name once everything that readers do not see is gone: two names with the same fold are one name for
 * layers that are not trusted. Compatibility forms (width, ligatures, fractions) and case are unified, invisible
 * characters removed, dashes and runs of spaces made one each. Letters of another alphabet stay different, however much
 * they look alike.
 */
export function foldName(name: string): string {
  if (PLAIN.test(name)) return name;
  let folded = name;
  // One step can bring forth what another removes (a compatibility form of a dash, an accent behind a removed mark).
  for (let round = 0; round < 4; round += 1) {
    const next = foldOnce(folded);
    if (next === folded) break;
    folded = next;
  }
  return folded;
}

function foldOnce(name: string): string {
  const visible = name
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(DASHES, '-')
    .replaceAll(SPACES, ' ');
  // Letter by letter, so that a sigma folds alike at the end of a word; by way of upper case, so that ß is ss.
  const lower = Array.from(visible, (letter) => letter.toUpperCase().toLowerCase()).join('');
  return lower.normalize('NFKC').trim();
}
