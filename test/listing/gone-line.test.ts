import { describe, expect, it } from 'vitest';
import { goneLine } from '../../src/listing/gone-line.ts';
import { LINES, XML } from '../../src/listing/layout.ts';
import { BYTES, CHARACTERS } from '../../src/listing/measure.ts';

const line = (names: string[], room: number) => goneLine(names, room, LINES, CHARACTERS);

describe('the line about names that are gone', () => {
  it.each<[string[], number, string | null]>([
    [[], 100, null],
    [['a'], 100, 'No longer available: a.'],
    [['a', 'b', 'c'], 100, 'No longer available: a, b, c.'],
    [['a', 'b', 'c'], 29, 'No longer available: a, b, c.'],
    [['alpha', 'beta', 'gamma'], 38, 'No longer available: alpha and 2 more.'],
    [['alpha', 'beta', 'gamma'], 37, null],
    [['a'], 22, null],
    [['a: b', '- c'], 100, 'No longer available: a:b, c.'],
    [['a, b', 'c'], 100, 'No longer available: "a, b", c.'],
    [['a and 2 more'], 100, 'No longer available: "a and 2 more".'],
    [['a", "b'], 100, String.raw`No longer available: "a\", \"b".`],
  ])('%j in %i: %j', (names, room, expected) => {
    expect(line(names, room)).toBe(expected);
  });

  it('is escaped and measured as it is written', () => {
    expect(goneLine(['r&d'], 100, XML, CHARACTERS)).toBe('<gone>No longer available: r&amp;d.</gone>');
    expect(goneLine(['ü'], 23, LINES, BYTES)).toBeNull();
    expect(goneLine(['ü'], 24, LINES, BYTES)).toBe('No longer available: ü.');
  });

  it('is made in no time for very many', () => {
    const names = Array.from({ length: 40_000 }, (_, at) => `skill-${at}`);
    const started = performance.now();
    expect(line(names, 8_000)?.length).toBeLessThanOrEqual(8_000);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
