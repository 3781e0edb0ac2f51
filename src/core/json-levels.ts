/**
 * Whether a value that was read from JSON has more than so many arrays and objects in each other. Schemas, and all that
 * works on it later, go as deep as it is, and the stack has to have room for that.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}
