/** One line of a report: the median over the rounds, and the least and the most of them, against a budget. */
export interface Figure {
  readonly id: string;
  readonly value: number;
  readonly spread: readonly [number, number];
  readonly unit: 'times' | 'ms';
  readonly budget: number;
  readonly bound: 'at most' | 'at least';
  /** For people: what was measured, and what it is compared with. */
  readonly measured: string;
  readonly against: string;
}

/** Ratios are taken inside a round only: what else the machine does then weighs on both sides. */
export function ratioOver(rounds: readonly (readonly [number, number])[]): Pick<Figure, 'value' | 'spread'> {
  return middle(rounds.map(([value, base]) => value / base));
}

export function middle(values: readonly number[]): Pick<Figure, 'value' | 'spread'> {
  return { value: median(values), spread: [Math.min(...values), Math.max(...values)] };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const half = Math.floor(sorted.length / 2);
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 1 ? half : half - 1], sorted[half]];
  return (below + above) / 2;
}
