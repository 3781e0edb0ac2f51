/** The first patterns, as many as fit: later ones only overrule what the earlier ones say. */
export function firstPatterns(patterns: readonly string[], count: number, characters: number): string[] {
  const kept: string[] = [];
  let left = characters;
  for (const pattern of patterns.slice(0, count)) {
    left -= pattern.length;
    if (left < 0) break;
    kept.push(pattern);
  }
  return kept;
}
