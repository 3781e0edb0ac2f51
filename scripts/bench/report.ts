import type { Measurement } from './measure.ts';

/** One line of JSON for each budget. */
export function jsonLines(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ id, ratio, spread, budget }) =>
    budget === null
      ? []
      : [
          JSON.stringify({
            id,
            ratio: rounded(ratio),
            spread: spread.map(rounded),
            budget,
            pass: rounded(ratio) <= budget,
          }),
        ],
  );
}

/** The same for people, with what it was computed from. */
export function table(measurements: readonly Measurement[]): string {
  const rows = measurements.map(
    ({ id, microseconds, requestsPerSecond, ratio, spread: [least, most], budget }) => [
      id,
      microseconds.toFixed(0),
      requestsPerSecond.toFixed(0),
      ...(budget === null
        ? ['1', '', '', '']
        : [
            ratio.toFixed(2),
            `${least.toFixed(2)}..${most.toFixed(2)}`,
            String(budget),
            rounded(ratio) <= budget ? 'pass' : 'short',
          ]),
    ],
  );
  const all = [['id', 'CPU us/request', 'requests/s', 'ratio', 'spread', 'budget', ''], ...rows];
  const widths = all.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, cell.length)),
    [],
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

/** Two digits: what is printed is what is judged. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
