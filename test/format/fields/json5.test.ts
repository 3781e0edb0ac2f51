import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson5 } from '../../../src/format/fields/json5.ts';

describe('parseJson5', () => {
  it.each<[string, unknown]>([
    ['{}', {}],
    [' [1, 2,] ', [1, 2]],
    ['{a: 1, $b_2: "x", \'c d\': null,}', { a: 1, $b_2: 'x', 'c d': null }],
    ['{"a": {b: [true, false]}}', { a: { b: [true, false] } }],
    ['// all\n{ /* one */ a: 1, // two\n }', { a: 1 }],
    ['[+1, -2, .5, 5., 1e3, 0xFF, -0x10]', [1, -2, 0.5, 5, 1000, 255, -16]],
    ["'it\\'s \\x41\\u0042\\\n\\n'", "it's AB\n"],
    ['{über: 1}', { über: 1 }],
    ['{"__proto__": 1}', JSON.parse('{"__proto__": 1}')],
  ])('%o', (text, value) => {
    expect(parseJson5(text)).toEqual(value);
  });

  it.each([
    '',
    '{',
    '{a}',
    '{a:}',
    '[1 2]',
    '[,]',
    '{a: 1} x',
    '"a',
    '"a\nb"',
    'NaN',
    'Infinity',
    '1e999',
    'a',
    'constructor',
    '/* a',
    '\\',
    '"\\u00"',
    '"\\xg0"',
    '{[1]: 2}',
    '['.repeat(30) + ']'.repeat(30),
    '[{}',
    '01x',
    '{a: 1,, b: 2}',
    '{"bins":\\["curl"]}',
  ])('is undefined for %o', (text) => {
    expect(parseJson5(text)).toBeUndefined();
  });

  it('reads all JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(JSON.stringify(parseJson5(JSON.stringify(value)))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('never throws', () => {
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      "'",
      '\\',
      '/',
      '*',
      'a',
      '1',
      '\n',
      ' ',
    );
    fc.assert(
      fc.property(fc.string({ unit: token, maxLength: 60 }), (text) => {
        expect(() => parseJson5(text)).not.toThrow();
      }),
    );
  });
});
