import type { Ratio } from './statistics.ts';

/** One line of JSON for each budget. */
export function jsonLines(ratios: readonly Ratio[]): string[] {
  return ratios.flatMap(({ id, ratio, spread, budget }) =>
    budget === null
      ? []
      : [
          JSON.stringify({
            id,
            ratio: rounded(ratio),
            spread: spread.map(rounded),
            budget,
            pass: isMet({ ratio, budget }),
          }),
        ],
  );
}

/** The same for people: each figure with what it was computed from. */
export function table<Figure extends Ratio>(
  figures: readonly Figure[],
  measured: Readonly<Record<string, (figure: Figure) => string>>,
): string {
  const rows = figures.map((figure) => [
    figure.id,
    ...Object.values(measured).map((show) => show(figure)),
    ...verdict(figure),
  ]);
  const all = [['id', ...Object.keys(measured), 'ratio', 'spread', 'budget', ''], ...rows];
  const widths = all.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  );
  const padded = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return all.map((row) => row.map(padded).join('  ').trimEnd()).join('\n');
}

function verdict({ ratio, spread: [least, most], budget }: Ratio): string[] {
  if (budget === null) return ['1', '', '', ''];
  const spread = `${least.toFixed(2)}..${most.toFixed(2)}`;
  return [ratio.toFixed(2), spread, String(budget), isMet({ ratio, budget }) ? 'pass' : 'short'];
}

/** Two digits: what is printed is what is judged. */
function isMet({ ratio, budget }: { ratio: number; budget: number }): boolean {
  return rounded(ratio) <= budget;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
