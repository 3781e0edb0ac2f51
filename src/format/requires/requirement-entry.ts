import type { Json } from '../../core/canonical-json.ts';
import { isPlainText } from '../../core/plain-text.ts';
import type { ValuePath } from '../frontmatter-key.ts';
import { type FieldReader, isList, isMap, type JsonMap, textOf } from '../fields/field-reader.ts';
import { splitTools } from '../fields/split-tools.ts';

/** One requirement as it was written: its name, and the map around the name where there is one. */
export interface RequirementEntry {
  readonly name: string;
  readonly description: string | null;
  readonly optional: boolean;
  readonly members: JsonMap;
  readonly at: ValuePath;
}

/** Where in a frontmatter requirements stand, for remarks. */
export interface RequirementPlace {
  readonly reader: FieldReader;
  readonly key: string;
  readonly at: ValuePath;
}

/** What the systems call the name of a thing, and what they call the words about it. */
const NAMES = [
  'name',
  'key',
  'env_var',
  'envVar',
  'value',
  'id',
  'bin',
  'command',
  'tool',
  'skill',
  'server',
];
const DESCRIPTIONS = ['description', 'prompt', 'help', 'required_for', 'purpose'];

/**
 * The requirements in a value: a text with commas or spaces, a list of texts and maps, or a map from names to texts or
 * maps. What has no usable name is reported and left out.
 */
export function requirementEntries(value: Json | undefined, place: RequirementPlace): RequirementEntry[] {
  if (value === undefined || value === null || typeof value === 'boolean') return [];
  const found = isList(value)
    ? value.map((item, index) => entryOf(item, [...place.at, index]))
    : isMap(value)
      ? Object.entries(value).map(([name, item]) => named(name, item, [...place.at, name]))
      : splitTools(String(value)).map((name) => named(name, undefined, place.at));
  return found.filter((entry) => {
    const usable = entry.name !== '' && isPlainText(entry.name);
    if (!usable) remark(place, 'a requirement has no name', entry.at);
    return usable;
  });
}

export function remark(place: RequirementPlace, message: string, at: ValuePath = place.at): void {
  place.reader.remark('requirement-invalid', place.key, message, at);
}

function entryOf(item: Json, at: ValuePath): RequirementEntry {
  if (!isMap(item)) return named(textOf(item) ?? '', undefined, at);
  return named(firstText(item, NAMES) ?? '', item, at);
}

function named(name: string, item: Json | undefined, at: ValuePath): RequirementEntry {
  const members = isMap(item) ? item : {};
  return {
    name: name.trim(),
    description: isMap(item) ? firstText(members, DESCRIPTIONS) : textOf(item),
    optional: members['optional'] === true || members['required'] === false,
    members,
    at,
  };
}

function firstText(members: JsonMap, names: readonly string[]): string | null {
  for (const name of names) {
    const text = Object.hasOwn(members, name) ? textOf(members[name]) : null;
    if (text !== null) return text;
  }
  return null;
}
