import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance, nearestNames } from '../../src/view/nearest-names.ts';

const NAMES = ['pdf', 'pdf-tools', 'code-review', 'team:review', 'deploy', 'docx', 'pptx', 'Übersicht'];

describe('nearestNames', () => {
  it.each([
    ['pdff', ['pdf']],
    ['depoly', ['deploy']],
    ['Code_Review', ['code-review']],
    ['code review', ['code-review']],
    ['org/deploi', ['deploy']],
    ['review', ['code-review', 'team:review']],
    ['PDF', ['pdf', 'pdf-tools']],
    ['pdf-tool', ['pdf-tools', 'pdf']],
    ['ubersicht', ['Übersicht']],
    ['kubernetes', []],
    ['', []],
    ['/', []],
    ['x'.repeat(2_000), []],
  ])('of %j', (asked, nearest) => {
    expect(nearestNames(asked, NAMES)).toEqual(nearest);
  });

  it('never names what was asked for, and at most five', () => {
    expect(nearestNames('pdf', NAMES)).toEqual(['pdf-tools']);
    const many = Array.from({ length: 50 }, (_, at) => `skill-${at}`);
    expect(nearestNames('skill-x', many)).toHaveLength(5);
  });

  it('compares 40,000 long names in bounded time', () => {
    const many = Array.from({ length: 40_000 }, (_, at) => `${'long-name-'.repeat(6)}${at}`);
    const started = performance.now();
    nearestNames(`${'long-name-'.repeat(6)}x`, many);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

/** The textbook's, over the whole table. */
function reference(left: string, right: string): number {
  const table = Array.from({ length: left.length + 1 }, (_, row) =>
    Array.from({ length: right.length + 1 }, (__, column) => (row === 0 ? column : column === 0 ? row : 0)),
  );
  const at = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= left.length; row += 1) {
    for (let column = 1; column <= right.length; column += 1) {
      const changed = left[row - 1] === right[column - 1] ? 0 : 1;
      const exchanged =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const best = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + changed,
        exchanged ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      table[row]?.splice(column, 1, best);
    }
  }
  return at(left.length, right.length);
}

describe('editDistance', () => {
  it('is the exact one up to its limit', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(text, text, fc.integer({ min: 1, max: 4 }), (left, right, limit) => {
        expect(editDistance(left, right, limit)).toBe(Math.min(reference(left, right), limit + 1));
      }),
      { numRuns: 2_000 },
    );
  });
});
