import { Validator } from '@cfworker/json-schema';
import type { Json } from '../../core/canonical-json.ts';
import { nestsDeeper } from '../../core/json-depth.ts';
import { JSON_LIMITS, RUN_LIMITS } from '../../core/limits.ts';
import { fail, ok, type Result } from '../../core/result.ts';

export type ResultSchema = Readonly<Record<string, Json>>;

/** Characters of a text that cost about as much as one value. */
const LOOKED_AT_ONCE = 64;

const MAPS = ['properties', '$defs', 'definitions', 'dependentSchemas'] as const;
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const ONES = [
  ...([
    'items',
    'additionalItems',
    'additionalProperties',
    'unevaluatedItems',
    'unevaluatedProperties',
  ] as const),
  ...(['contains', 'propertyNames', 'not', 'if', 'then', 'else'] as const),
];
/** What is held against a value as it is written. */
const PLAIN = [
  ...(['type', 'const', 'enum', 'format', 'required', 'dependentRequired', 'minItems', 'maxItems'] as const),
  ...(['minContains', 'maxContains', 'minProperties', 'maxProperties', 'minLength', 'maxLength'] as const),
  ...(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', '$ref'] as const),
];
/** Keywords whose check can take longer than the text and the schema are long, or whose meaning depends on where they are read. */
const REFUSED = [
  ...(['pattern', 'patternProperties', 'uniqueItems', '$dynamicRef', '$recursiveRef', '$anchor'] as const),
  ...(['$dynamicAnchor', '$recursiveAnchor', '$id', 'dependencies'] as const),
];
/** Formats that the validator reads with an expression that can take exponential time, or makes one of. */
const REFUSED_FORMATS: ReadonlySet<unknown> = new Set(['url', 'regex']);

/** A reference that everybody reads alike: in others, encoded and white characters can hide. */
const POINTER = /^#(?:\/[A-Za-z0-9$_.~-]+)+$/;

/** What is wrong with a schema for results; null where it can be used. */
export function schemaProblem(schema: ResultSchema): string | null {
  const read = readSchema(schema);
  return read.ok ? null : read.error;
}

interface ReadSchema {
  /** What is known of it, and nothing else: the validator also acts on keys of its own that are no keywords. */
  readonly known: ResultSchema;
  /** How many checks one value can need. */
  readonly weight: number;
}

function readSchema(schema: ResultSchema): Result<ReadSchema, string> {
  if (nestsDeeper(schema, JSON_LIMITS.depth))
    return fail(`it is nested deeper than ${JSON_LIMITS.depth} levels`);
  if (JSON.stringify(schema).length > RUN_LIMITS.resultSchemaBytes)
    return fail(`it has more than ${RUN_LIMITS.resultSchemaBytes} characters`);
  // A name for the whole changes nothing in it.
  const { $id: _id, ...unnamed } = schema;
  const known = schemaOf(unnamed);
  const weight = weigh(known, known, new Map());
  return weight.ok ? ok({ known, weight: weight.value }) : weight;
}

/** A copy without what is no keyword. */
function schemaOf(schema: ResultSchema): ResultSchema {
  const copy = (part: Json): Json => (isObject(part) ? schemaOf(part) : part);
  const copies = Object.entries(schema).flatMap(([keyword, value]): [string, Json][] => {
    if (value === undefined) return [];
    if (isOneOf(MAPS, keyword)) return [[keyword, mapped(asObject(value), copy)]];
    if (isOneOf(LISTS, keyword)) return [[keyword, asList(value).map(copy)]];
    if (isOneOf(ONES, keyword)) return [[keyword, Array.isArray(value) ? value.map(copy) : copy(value)]];
    return isOneOf(PLAIN, keyword) || isOneOf(REFUSED, keyword) ? [[keyword, value]] : [];
  });
  return Object.fromEntries(copies);
}

function mapped(parts: ResultSchema, copy: (part: Json) => Json): ResultSchema {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, copy(part)]));
}

function isOneOf(keywords: readonly string[], keyword: string): boolean {
  return keywords.includes(keyword);
}

/** How many checks one value can need. Equal references are weighed once, and what leads back to itself has no end. */
function weigh(
  root: ResultSchema,
  schema: Json,
  known: Map<string, number | 'open'>,
): Result<number, string> {
  if (!isObject(schema)) return ok(1);
  const refused = REFUSED.find((keyword) => Object.hasOwn(schema, keyword));
  if (refused !== undefined) return fail(`it uses ${refused}, which is not supported`);
  if (REFUSED_FORMATS.has(schema['format']))
    return fail(`it uses the format ${String(schema['format'])}, which is not supported`);
  let sum = 1 + PLAIN.reduce((own, keyword) => own + sizeOf(schema[keyword]), 0);
  for (const part of partsOf(schema)) {
    const weight = weigh(root, part, known);
    if (!weight.ok) return weight;
    sum += weight.value;
  }
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const weight = weighReference(root, reference, known);
    if (!weight.ok) return weight;
    sum += weight.value;
  }
  return sum > RUN_LIMITS.resultSchemaChecks ? fail('it needs too many checks') : ok(sum);
}

/** Values and names inside of a value, long texts counted more than once: what a look at all of it costs. */
function sizeOf(value: Json | undefined): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return 1 + value.length / LOOKED_AT_ONCE;
  if (typeof value !== 'object' || value === null) return 1;
  return Array.isArray(value)
    ? value.reduce<number>((sum, part) => sum + sizeOf(part), 1)
    : Object.entries(value).reduce((sum, [name, part]) => sum + sizeOf(name) + sizeOf(part), 1);
}

function weighReference(
  root: ResultSchema,
  reference: string,
  known: Map<string, number | 'open'>,
): Result<number, string> {
  const before = known.get(reference);
  if (before === 'open') return fail(`${reference} leads back to itself, which is not supported`);
  if (before !== undefined) return ok(before);
  const target = POINTER.test(reference) ? pointedAt(root, reference.slice(2)) : undefined;
  if (target === undefined) return fail(`${reference} is nowhere in it`);
  known.set(reference, 'open');
  const weight = weigh(root, target, known);
  if (weight.ok) known.set(reference, weight.value);
  return weight;
}

function partsOf(schema: ResultSchema): Json[] {
  const maps = MAPS.flatMap((keyword) => Object.values(asObject(schema[keyword])));
  const lists = LISTS.flatMap((keyword) => asList(schema[keyword]));
  const ones = ONES.flatMap((keyword) => {
    const value = schema[keyword];
    return value === undefined ? [] : Array.isArray(value) ? value : [value];
  });
  return [...maps, ...lists, ...ones];
}

function pointedAt(root: ResultSchema, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const segment of pointer.split('/')) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (value === undefined || !isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The text of the result's JSON, which it is, or which it has in its only fence. Errors: what is wrong with it. */
export function readResult(schema: ResultSchema, text: string): Result<string, string> {
  const found = jsonIn(text);
  if (found === null) return fail('it is not JSON');
  const problem = problemWith(schema, found.value);
  if (!problem.ok) return fail(problem.error);
  return problem.value === null ? ok(found.text) : fail(problem.value);
}

/** What is wrong with the input of a call; null where nothing is, or where nobody here can say. */
export function inputProblem(schema: ResultSchema, input: Json): string | null {
  const problem = problemWith(schema, input);
  return problem.ok ? problem.value : null;
}

/** Errors: why it cannot be told. */
function problemWith(schema: ResultSchema, value: Json): Result<string | null, string> {
  try {
    const read = readSchema(schema);
    if (!read.ok) return fail(`the schema cannot be applied: ${read.error}`);
    const { known, weight } = read.value;
    if (weight * sizeOf(value) > RUN_LIMITS.resultChecks)
      return fail('it is too long to be held against this schema: make it shorter');
    const { valid, errors } = new Validator({ ...known }, '2020-12').validate(value);
    if (valid) return ok(null);
    // Of several at one place, the last says what it is; those in front of it, that there is something.
    const deepest = errors
      .toSorted((left, right) => left.instanceLocation.length - right.instanceLocation.length)
      .at(-1);
    return ok(deepest ? `${deepest.instanceLocation}: ${deepest.error}` : 'it does not match the schema');
  } catch {
    // Nested deeper than the validator can follow.
    return fail('the schema cannot be applied to it');
  }
}

const FENCED = /^[^`]*```(?:json)?\n([^`]*)\n```[^`]*$/;

function jsonIn(text: string): { value: Json; text: string } | null {
  if (text.length > RUN_LIMITS.resultCharacters) return null;
  for (const candidate of [text, FENCED.exec(text)?.[1]]) {
    if (candidate === undefined) continue;
    try {
      const value: Json = JSON.parse(candidate);
      return { value, text: candidate };
    } catch {
      continue;
    }
  }
  return null;
}

function isObject(value: Json): value is ResultSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asObject(value: Json | undefined): ResultSchema {
  return value !== undefined && isObject(value) ? value : {};
}

function asList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
