/** A figure against its budget: the median over the rounds, and the least and the most of them. */
export interface Ratio {
  readonly id: string;
  readonly ratio: number;
  readonly spread: readonly [number, number];
  readonly budget: number | null;
}

/** Ratios are taken inside a round only: what else the machine does then weighs on both sides. */
export function ratioOver(
  id: string,
  budget: number | null,
  rounds: readonly (readonly [number, number])[],
): Ratio {
  const ratios = rounds.map(([value, base]) => value / base);
  return { id, budget, ratio: median(ratios), spread: [Math.min(...ratios), Math.max(...ratios)] };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 1 ? middle : middle - 1], sorted[middle]];
  return (below + above) / 2;
}
