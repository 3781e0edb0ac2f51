import type { Json } from '../../core/canonical-json.ts';
import { type FieldReader, isList, isMap, type JsonMap, textOf } from '../fields/field-reader.ts';
import { METADATA, vendorBlocks } from '../fields/read-metadata.ts';
import { type Installer, readOpenClaw } from '../fields/read-openclaw.ts';
import type { Requires } from './requires.ts';
import type { RequirementPlace } from './requirement-entry.ts';
import { RequirementSet } from './requirement-set.ts';
import { addRequirementMap, addRequirements, kindOf } from './requirement-kinds.ts';

/** Top-level keys whose members say the kind: of several authors, of Codex, of Hermes twice. */
const MAPS = ['requires', 'dependencies', 'prerequisites', 'setup'];
/** Top-level keys that name the kind themselves. */
const LISTS = [
  'required_environment_variables',
  'platforms',
  'os',
  'tools',
  'requires_bin',
  'requires_bins',
  'requires_env',
];
/** Members of Hermes' block that are requirements; `fallback_for_*` are not, and neither are tags. */
const HERMES = ['requires_tools', 'requires_toolsets', 'config'];

export const REQUIREMENT_KEYS: readonly string[] = [...MAPS, ...LISTS];

/** What the skill needs, from every form in which the other systems say it, and how OpenClaw would install it. */
export function readRequires(
  reader: FieldReader,
  metadata: JsonMap,
): { requires: Requires | null; install: Installer[] } {
  const set = new RequirementSet();
  for (const key of MAPS) addTopLevel(set, reader, key);
  for (const key of LISTS) {
    const kind = kindOf(key);
    if (kind) addRequirements(set, kind, reader.value(key), { reader, key, at: [] });
  }
  for (const [member, value] of Object.entries(metadata)) addMetadata(set, reader, member, value);
  const install = readOpenClaw(reader, metadata, set);
  for (const { block, at } of vendorBlocks(reader, metadata, ['hermes'])) {
    for (const member of HERMES) {
      const kind = kindOf(member);
      if (kind) addRequirements(set, kind, block[member], { reader, key: METADATA, at: [...at, member] });
    }
  }
  return { requires: set.result(), install };
}

function addTopLevel(set: RequirementSet, reader: FieldReader, key: string): void {
  const value = reader.value(key);
  if (value === undefined) return;
  const place = { reader, key, at: [] };
  if (isMap(value)) {
    // Hermes' setup also says things that are no requirement.
    if (key === 'setup')
      addRequirements(set, 'env', value['collect_secrets'], { ...place, at: ['collect_secrets'] });
    else addRequirementMap(set, value, place);
  } else if (isList(value) && value.every(isMap)) {
    for (const [index, item] of value.entries()) addListed(set, item, { ...place, at: [index] });
  } else {
    // `dependencies: [a, b]` is packages to one author and skills to the next.
    reader.remark('requirement-unclear', key, `what kind of requirement is ${key}?`);
  }
}

/** An item of a list says its kind in `type`, as Codex' do, or has members that do. */
function addListed(set: RequirementSet, item: JsonMap, place: RequirementPlace): void {
  if (kindOf(textOf(item['type']) ?? '') === null) addRequirementMap(set, item, place);
  else addRequirements(set, 'tools', [item], place);
}

/** What authors put into `metadata` itself: `requires`, `primaryEnv`, `mcp-server`. */
function addMetadata(
  set: RequirementSet,
  reader: FieldReader,
  member: string,
  value: Json | undefined,
): void {
  const place = { reader, key: METADATA, at: [member] };
  if (member === 'requires' && isMap(value)) addRequirementMap(set, value, place);
  const primary = member === 'primaryEnv' ? textOf(value) : null;
  if (primary !== null) addRequirements(set, 'env', [{ name: primary, optional: true }], place);
  if (kindOf(member) === 'mcp') addRequirements(set, 'mcp', value, place);
}
