import type { Json } from '../../core/canonical-json.ts';
import type { ValuePath } from '../frontmatter-key.ts';
import { type FieldReader, isMap, type JsonMap } from './field-reader.ts';
import { parseJson5 } from './json5.ts';

export const METADATA = 'metadata';

/** `metadata` as a map of any depth; OpenClaw's authors also write it as JSON5 text. Anything else is reported. */
export function readMetadata(reader: FieldReader): Record<string, Json> {
  const value = reader.value(METADATA);
  const map = asMap(value);
  if (value !== undefined && !map) reader.invalid(METADATA, 'a map');
  return Object.fromEntries(
    Object.entries(map ?? {}).flatMap(([key, member]) => (member === undefined ? [] : [[key, member]])),
  );
}

/** What one system has put into `metadata`, under whichever of its names. Texts of JSON5 are read. */
export function vendorBlocks(
  reader: FieldReader,
  metadata: JsonMap,
  names: readonly string[],
): { block: JsonMap; at: ValuePath }[] {
  return names.flatMap((name) => {
    const value = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    const block = asMap(value);
    if (block) return [{ block, at: [name] }];
    if (value !== undefined && value !== null) reader.invalid(METADATA, 'a map', [name]);
    return [];
  });
}

function asMap(value: Json | undefined): JsonMap | null {
  const read = typeof value === 'string' && value.trim().startsWith('{') ? parseJson5(value) : value;
  return isMap(read) ? read : null;
}
