import { describe, expect, test } from 'vitest';
import { readResult, type ResultSchema, schemaProblem } from '../../src/invoke/result-schema.ts';

const COUNT: ResultSchema = {
  type: 'object',
  required: ['count'],
  properties: { count: { $ref: '#/$defs/whole' }, pattern: { type: 'string' } },
  additionalProperties: false,
  $defs: { whole: { type: 'integer', minimum: 0 } },
};

describe('a schema', () => {
  test('may use references, and names of properties that are keywords elsewhere', () => {
    expect(schemaProblem(COUNT)).toBeNull();
  });

  const doubling: ResultSchema = {
    $ref: '#/$defs/d30',
    $defs: Object.fromEntries(
      Array.from({ length: 31 }, (_, index) => [
        `d${index}`,
        index === 0
          ? { type: 'string' }
          : { allOf: [{ $ref: `#/$defs/d${index - 1}` }, { $ref: `#/$defs/d${index - 1}` }] },
      ]),
    ),
  };

  test.each<[string, ResultSchema, RegExp]>([
    ['a pattern', { properties: { a: { pattern: '(a+)+$' } } }, /pattern/],
    ['patterns of names', { patternProperties: { '(a+)+$': {} } }, /patternProperties/],
    ['a comparison of all with all', { items: { uniqueItems: true } }, /uniqueItems/],
    ['a reference to itself', { properties: { a: { $ref: '#/properties/a' } } }, /itself/],
    ['a reference to nothing', { $ref: '#/$defs/none' }, /nowhere/],
    ['a reference to another site', { $ref: 'https://example.org/x' }, /nowhere/],
    ['parts that double and double', doubling, /too many/],
    ['too much text', { description: 'x'.repeat(40_000) }, /more than/],
  ])('with %s is refused', (_, schema, problem) => {
    expect(schemaProblem(schema)).toMatch(problem);
  });
});

describe('a result', () => {
  test.each([
    ['{"count": 3}', '{"count": 3}'],
    ['  {"count":3}\n', '  {"count":3}\n'],
    ['Here it is:\n```json\n{"count": 3}\n```\nDone.', '{"count": 3}'],
    ['```\n{"count": 3}\n```', '{"count": 3}'],
  ])('%j is %j', (text, json) => {
    expect(readResult(COUNT, text)).toEqual({ ok: true, value: json });
  });

  test.each([
    ['three', /not JSON/],
    ['{"count": 3', /not JSON/],
    ['{"count": "3"}', /count/],
    ['{"count": -1}', /count/],
    ['{"count": 3, "more": 1}', /more|additional/i],
    ['{}', /count/],
    ['null', /./],
    [`"${'x'.repeat(300_000)}"`, /not JSON/],
    ['```json\n{"count": 3}\n```\n```json\n{"count": 4}\n```', /not JSON/],
  ])('%j is refused', (text, problem) => {
    const read = readResult(COUNT, text);
    expect(read.ok ? '' : read.error).toMatch(problem);
  });

  test('of great depth is refused or taken, and never a fault', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(readResult({ type: 'object' }, deep).ok).toBe(false);
  });
});
