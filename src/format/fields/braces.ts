/** Where each brace that closes does so: offset of `{` -> offset of its `}`. */
export function matchBraces(text: string): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '{') open.push(index);
    else if (text[index] === '}') {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return pairs;
}

/** Cuts `text` from `from` to `to` at the commas outside of braces; a brace that never closes protects nothing. */
export function commaRanges(
  text: string,
  from: number,
  to: number,
  pairs: ReadonlyMap<number, number>,
): (readonly [from: number, to: number])[] {
  const ranges: [number, number][] = [];
  let start = from;
  for (let index = from; index < to; index += 1) {
    index = pairs.get(index) ?? index;
    if (text[index] !== ',') continue;
    ranges.push([start, index]);
    start = index + 1;
  }
  ranges.push([start, to]);
  return ranges;
}

/** The patterns of a comma-separated list. */
export function splitPatterns(text: string): string[] {
  return commaRanges(text, 0, text.length, matchBraces(text))
    .map(([from, to]) => text.slice(from, to).trim())
    .filter(Boolean);
}
