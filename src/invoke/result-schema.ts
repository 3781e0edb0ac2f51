import { Validator } from '@cfworker/json-schema';
import type { Json } from '../core/canonical-json.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import { fail, ok, type Result } from '../core/result.ts';

export type ResultSchema = Readonly<Record<string, Json>>;

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
/** Keywords whose check can take longer than the text and the schema are long, or whose meaning depends on where they are read. */
const REFUSED = [
  ...(['pattern', 'patternProperties', 'uniqueItems', '$dynamicRef', '$recursiveRef', '$anchor'] as const),
  '$dynamicAnchor',
];

/** What is wrong with a schema for results; null where it can be used. */
export function schemaProblem(schema: ResultSchema): string | null {
  if (JSON.stringify(schema).length > RUN_LIMITS.resultSchemaBytes)
    return `it has more than ${RUN_LIMITS.resultSchemaBytes} characters`;
  const walked = weigh(schema, schema, new Map());
  return walked.ok ? null : walked.error;
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
  let sum = 1;
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

function weighReference(
  root: ResultSchema,
  reference: string,
  known: Map<string, number | 'open'>,
): Result<number, string> {
  const before = known.get(reference);
  if (before === 'open') return fail(`${reference} leads back to itself, which is not supported`);
  if (before !== undefined) return ok(before);
  const target = reference.startsWith('#/') ? pointedAt(root, reference.slice(2)) : undefined;
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
  const { $id: _id, $schema: _dialect, ...plain } = schema;
  try {
    const { valid, errors } = new Validator(plain, '2020-12').validate(found.value);
    if (valid) return ok(found.text);
    const [deepest] = errors.toSorted(
      (left, right) => right.instanceLocation.length - left.instanceLocation.length,
    );
    return fail(deepest ? `${deepest.instanceLocation}: ${deepest.error}` : 'it does not match the schema');
  } catch {
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
