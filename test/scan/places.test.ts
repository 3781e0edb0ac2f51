import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Places } from '../../src/scan/places.ts';
import { Units } from '../../src/scan/units.ts';

/** What ends where: bytes by UTF-16 units, at the ends of characters. */
function endsOf(text: string): { bytes: number; units: number }[] {
  let [bytes, units] = [0, 0];
  return [...text].map((character) => {
    bytes += new TextEncoder().encode(character).length;
    units += character.length;
    return { bytes, units };
  });
}

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '漢', '😀'), maxLength: 300 });

describe('places', () => {
  it('are those behind an offset, one after the other, whatever is passed over', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(fc.array(fc.nat(299), { maxLength: 40 }), { maxLength: 4 }),
        fc.array(fc.nat(40), { maxLength: 60 }),
        (written, chosen, steps) => {
          const ends = endsOf(written);
          const lists = chosen.map((list) =>
            [...new Set(list)].toSorted((left, right) => left - right).flatMap((index) => ends[index] ?? []),
          );
          const bytes = new TextEncoder().encode(written);
          const places = new Places(
            lists.map((list) => list.map((end) => end.bytes)),
            bytes.length === written.length ? null : new Units(bytes),
          );
          const all = lists.flat().map(({ units }) => units);
          let [after, passed] = [-1, 0];
          for (const step of steps) {
            const behind = all.filter((unit) => unit > after);
            const place = places.next(after);
            expect(place).toBe(behind.length === 0 ? null : Math.min(...behind));
            passed += places.passed;
            expect(passed).toBe(all.length - behind.length);
            if (place === null) return;
            after = place + step;
          }
        },
      ),
      { numRuns: 10_000 },
    );
  });
});
