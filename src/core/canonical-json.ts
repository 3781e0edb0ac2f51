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
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError('canonical JSON has no such number');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .toSorted(byCodeUnit)
    .flatMap((key) => {
      const member = value[key];
      return member === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(member)}`];
    });
  return `{${members.join(',')}}`;
}

/** The one order of names and paths everywhere: by UTF-16 code unit, the same in every locale. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function isList(value: object): value is readonly Json[] {
  return Array.isArray(value);
}
