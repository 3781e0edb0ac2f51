import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/core/canonical-json.ts';
import {
  inputProblem,
  readResult,
  type ResultSchema,
  schemaProblem,
} from '../../../src/invoke/runs/result-schema.ts';

const COUNT: ResultSchema = {
  type: 'object',
  required: ['count'],
  properties: { count: { $ref: '#/$defs/whole' }, pattern: { type: 'string' } },
  additionalProperties: false,
  $defs: { whole: { type: 'integer', minimum: 0 } },
};

/** `{not: {not: ...}}`. */
function nested(levels: number): ResultSchema {
  let schema: ResultSchema = {};
  for (let level = 0; level < levels; level += 1) schema = { not: schema };
  return schema;
}

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
    ['a name inside of it', { $ref: '#/$defs/a', $defs: { a: { $id: 'https://a.example/' } } }, /\$id/],
    ['parts under an older keyword', { dependencies: { a: { pattern: '(a+)+$' } } }, /dependencies/],
    [
      'a reference into what is no part of it',
      { $ref: '#/$vocabulary/a', $vocabulary: { a: {} } },
      /nowhere/,
    ],
    ['a reference that is read in two ways', { $ref: '#/$defs/%61', $defs: { '%61': {}, a: {} } }, /nowhere/],
    ['a reference with white space', { $ref: '#/$defs/a\n', $defs: { 'a\n': {}, a: {} } }, /nowhere/],
    ['a format that takes exponential time', { items: { format: 'url' } }, /format url/],
    ['a format that is an expression', { properties: { a: { format: 'regex' } } }, /format regex/],
    [
      'more values to compare than checks',
      { enum: Array.from({ length: 11_000 }, (_, at) => at % 10) },
      /too many/,
    ],
    ['deep parts', nested(5_000), /deeper/],
    ['deep values', { const: nested(5_000) }, /deeper/],
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

  test('is checked by keywords alone, and not by what the validator keeps on a schema', () => {
    const $defs = { any: {}, none: { not: {} } };
    const schema = { $ref: '#/$defs/any', $defs, __absolute_ref__: '#/$defs/none', id: '#/$defs/none' };
    expect(
      readResult({ ...schema, title: 'whatever', 'x-more': { $id: '#/$defs/any', not: {} } }, '1'),
    ).toEqual({
      ok: true,
      value: '1',
    });
  });

  const parts = (part: ResultSchema) => ({
    items: { anyOf: [...Array.from({ length: 1_000 }, () => part), {}] },
  });
  const list = (value: string) => `[${Array.from({ length: 60_000 }, () => value).join()}]`;

  test.each<[string, ResultSchema, string]>([
    ['many parts for many values', parts({ type: 'null' }), list('1')],
    [
      'many values to compare',
      { items: { enum: [...Array.from({ length: 5_000 }, () => 'y'), 'z'] } },
      list('"z"'),
    ],
    ['a long text for many parts', parts({ maxLength: 1 }), JSON.stringify(['x'.repeat(250_000)])],
    [
      'names',
      { propertyNames: parts({ type: 'null' }).items },
      `{${Array.from({ length: 20_000 }, (_, at) => `"${at}":0`).join()}}`,
    ],
  ])('is not checked for long: %s', (_, schema, text) => {
    const begun = performance.now();
    expect(schemaProblem(schema)).toBeNull();
    const read = readResult(schema, text);
    expect(read.ok ? '' : read.error).toMatch(/too long/);
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  test('of usual size is checked', () => {
    const row = {
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { format: 'uri' }, b: { enum: ['x', 'y'] } },
    };
    const text = JSON.stringify(
      Array.from({ length: 5_000 }, () => ({ a: 'https://example.org/a', b: 'y' })),
    );
    expect(readResult({ type: 'array', items: row }, text).ok).toBe(true);
  });

  test.each([
    'date',
    'time',
    'date-time',
    'duration',
    'email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'uri-template',
    'uuid',
    'json-pointer',
    'relative-json-pointer',
    'json-pointer-uri-fragment',
  ])('is held against the format %s in time, whatever it says', (format) => {
    for (const unit of [
      'a',
      'a.',
      'a-',
      '1',
      '1:',
      ':',
      '%41',
      '/',
      '~0',
      'a@',
      '"',
      '\\a',
      '{a}',
      '{a,',
      '[',
      '::',
      'P1D',
      '#',
      'a://',
      'é',
      ' ',
    ])
      for (const end of ['', '!', '\n', '@', '"@a', '}', '|'])
        for (const start of ['', 'http://', '"', 'a@', '#/', '/', '{', 'P', '0/', '[']) {
          const begun = performance.now();
          readResult({ format }, JSON.stringify(start + unit.repeat(20_000 / unit.length) + end));
          expect(performance.now() - begun, JSON.stringify([start, unit, end])).toBeLessThan(500);
        }
  });
});

describe('the input of a call', () => {
  test.each<[string, ResultSchema, Json, string | null]>([
    ['matches', COUNT, { count: 1 }, null],
    ['lacks something', COUNT, {}, 'count'],
    ['has something of another kind', COUNT, { count: 'one' }, 'integer'],
    ['has more than it may', COUNT, { count: 1, more: true }, 'more'],
    ['has a schema that is not applied here', { properties: { a: { pattern: '^a' } } }, { a: 'b' }, null],
    [
      'is too long to be checked',
      { enum: Array.from({ length: 9_000 }, (_, at) => at) },
      'x'.repeat(500_000),
      null,
    ],
  ])('%s', (_, schema, input, problem) => {
    if (problem === null) expect(inputProblem(schema, input)).toBeNull();
    else expect(inputProblem(schema, input)).toContain(problem);
  });
});
