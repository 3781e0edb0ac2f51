import type { Json } from '../../core/canonical-json.ts';
import type { FrontmatterKey, Place } from '../frontmatter-key.ts';

/** A key and what it says, on one line: at its beginning, or two spaces in. */
const LINE = /^( {2})?([A-Za-z][\w-]{0,99}):(?: ([^\n]+))?$/;
/** Text without quotes that is nothing but text: it begins like a word, and nothing in it begins a value or a comment. */
const PLAIN =
  /^[a-z\u00a1-\u2027\u2030-\ud7ff](?:[!"$-9;-~\u00a1-\u2027\u2030-\ud7ff]|:(?! |$)| (?!#|$)|#)*$/i;
/** Text in quotes without anything that they would change. */
const QUOTED = /^(?:"([ !#-[\]-~\u00a1-\u2027\u2030-\ud7ff]*)"|'([ -&(-~\u00a1-\u2027\u2030-\ud7ff]*)')$/;
/** Words that are no text. */
const TYPED = /^(?:null|true|false)$/i;

interface PlainKey {
  readonly place: Required<Place>;
  readonly value: string | null;
  readonly members: Map<string, PlainKey>;
}

/**
 * Reads what most frontmatter is: keys with text on the same line, and maps of such keys one level below. Gives exactly what
 * YAML gives (the tests compare them), in a fraction of the time. Null: the text has something else in it, and only YAML
 * knows.
 */
export function readPlain(text: string, firstLine: number): Map<string, FrontmatterKey> | null {
  const keys = new Map<string, PlainKey>();
  let last: PlainKey | null = null;
  let line = firstLine;
  for (let start = 0; start < text.length; line += 1) {
    const end = text.indexOf('\n', start);
    const [, indent, key = '', written] = LINE.exec(text.slice(start, end === -1 ? text.length : end)) ?? [];
    start = end === -1 ? text.length : end + 1;
    const value = written === undefined ? null : plainText(written);
    if (key === '' || TYPED.test(key) || value === undefined) return null;
    const entry = { place: { line, column: indent === undefined ? 1 : 3 }, value, members: new Map() };
    if (indent === undefined) {
      if (keys.has(key) || (last && isEmpty(last))) return null;
      keys.set(key, entry);
      last = entry;
    } else {
      if (last?.value !== null || value === null || last.members.has(key)) return null;
      last.members.set(key, entry);
    }
  }
  if (last === null || isEmpty(last)) return null;
  return new Map([...keys].map(([key, entry]) => [key, frontmatterKey(entry)]));
}

/** A key without a value, which is null to YAML. */
function isEmpty({ value, members }: PlainKey): boolean {
  return value === null && members.size === 0;
}

/** Undefined where it is not plain. */
function plainText(written: string): string | undefined {
  if (PLAIN.test(written)) return TYPED.test(written) ? undefined : written;
  const quoted = QUOTED.exec(written);
  return quoted?.[1] ?? quoted?.[2];
}

function frontmatterKey({ place, value, members }: PlainKey): FrontmatterKey {
  const map = (): Json => Object.fromEntries([...members].map(([key, member]) => [key, member.value]));
  return {
    value: value ?? map(),
    source: value,
    line: place.line,
    placeAt: ([step]) => (typeof step === 'string' ? members.get(step)?.place : undefined) ?? place,
  };
}
