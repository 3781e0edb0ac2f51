/** What JSON can say. Everything that is hashed is one of these. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * JSON with sorted keys (by UTF-16 code unit), no white space and no undefined members, after RFC 8785: equal values
 * give equal bytes on every machine. Numbers must be finite.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RangeError('canonical JSON has no such number');
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  // Plain loops: every byte of every report comes through here.
  if (isList(value)) {
    let items = '';
    for (const item of value) items += items === '' ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `[${items}]`;
  }
  let members = '';
  for (const key of Object.keys(value).toSorted(byCodeUnit)) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${quotedKey(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
}

/** The same few keys stand in every document. Keys that authors make up are not worth remembering. */
const quoted = new Map<string, string>();
const MOST_KEYS = 1_000;

function quotedKey(key: string): string {
  const known = quoted.get(key);
  if (known !== undefined) return known;
  const text = JSON.stringify(key);
  if (quoted.size < MOST_KEYS) quoted.set(key, text);
  return text;
}

/** The one order of names and paths everywhere: by UTF-16 code unit, the same in every locale. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
