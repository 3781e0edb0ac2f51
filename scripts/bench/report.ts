import type { Figure } from './statistics.ts';

/** One line of JSON for each budget. */
export function jsonLines(figures: readonly Figure[]): string[] {
  return figures.map((figure) => {
    const { id, value, spread, unit, budget, bound } = figure;
    return JSON.stringify({
      id,
      [unit === 'times' ? 'ratio' : unit]: rounded(value),
      spread: spread.map(rounded),
      budget,
      ...(bound === 'at least' ? { bound } : {}),
      pass: isMet(figure),
    });
  });
}

const HEADER = ['id', 'measured', 'against', 'figure', 'spread', 'budget', ''];
/** The first ones are words, the others numbers. */
const LEFT_ALIGNED = 3;

/** The same for people: each figure with what it was computed from. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { id, measured, against, value, spread, unit, budget, bound } = figure;
    const [least, most] = spread.map((end) => end.toFixed(2));
    return [
      id,
      measured,
      against,
      `${value.toFixed(2)} ${unit === 'times' ? 'x' : unit}`,
      `${least}..${most}`,
      `${bound === 'at most' ? '<=' : '>='} ${budget}`,
      isMet(figure) ? 'pass' : 'short',
    ];
  });
  const all = [HEADER, ...rows];
  const widths = HEADER.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number): string =>
    column < LEFT_ALIGNED ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return all.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

/** Two digits: what is printed is what is judged. */
function isMet({ value, budget, bound }: Figure): boolean {
  return bound === 'at most' ? rounded(value) <= budget : rounded(value) >= budget;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
