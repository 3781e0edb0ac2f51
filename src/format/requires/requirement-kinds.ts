import type { Json } from '../../core/canonical-json.ts';
import { isList, type JsonMap, textOf } from '../fields/field-reader.ts';
import type { RequirementSet } from './requirement-set.ts';
import {
  type RequirementPlace,
  remark,
  requirementEntries,
  type RequirementEntry,
} from './requirement-entry.ts';

export type RequirementKind =
  | 'env'
  | 'bins'
  | 'anyBins'
  | 'tools'
  | 'mcp'
  | 'config'
  | 'platforms'
  | 'skills';

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What the systems call each kind, without `requires`, case, hyphens and underscores. */
const KINDS: ReadonlyMap<string, RequirementKind> = new Map(
  (
    [
      ['env', 'env envs envvar envvars environment environmentvariables collectsecrets'],
      ['bins', 'bin bins binary binaries command commands cli clis programs'],
      ['anyBins', 'anybin anybins'],
      ['tools', 'tool tools toolset toolsets'],
      ['mcp', 'mcp mcps mcpserver mcpservers'],
      ['config', 'config configs'],
      ['platforms', 'os platform platforms'],
      ['skills', 'skill skills'],
    ] satisfies [RequirementKind, string][]
  ).flatMap(([kind, names]) => names.split(' ').map((name): [string, RequirementKind] => [name, kind])),
);

/** The kind of requirement that a member's name stands for. */
export function kindOf(name: string): RequirementKind | null {
  return (
    KINDS.get(
      name
        .toLowerCase()
        .replaceAll(/[-_]/g, '')
        .replace(/^require[sd]?/, ''),
    ) ?? null
  );
}

/** Every member of a `requires` map; one of no known kind is reported. */
export function addRequirementMap(set: RequirementSet, value: JsonMap, place: RequirementPlace): void {
  for (const [member, content] of Object.entries(value)) {
    const kind = kindOf(member);
    const at = [...place.at, member];
    if (kind) addRequirements(set, kind, content, { ...place, at });
    else
      place.reader.remark('requirement-unclear', place.key, `what kind of requirement is "${member}"?`, at);
  }
}

export function addRequirements(
  set: RequirementSet,
  kind: RequirementKind,
  value: Json | undefined,
  place: RequirementPlace,
): void {
  const entries = requirementEntries(groupless(set, kind, value), place);
  if (kind === 'anyBins') set.addAnyBins(entries.map((entry) => entry.name));
  else for (const entry of entries) addOne(set, kind, entry, place);
}

/** Codex names the kind of a tool in its `type`. */
function addOne(
  set: RequirementSet,
  kind: RequirementKind,
  entry: RequirementEntry,
  place: RequirementPlace,
): void {
  const said = kind === 'tools' ? kindOf(textOf(entry.members['type']) ?? '') : null;
  switch (said ?? kind) {
    case 'env':
      if (ENV_NAME.test(entry.name)) set.addEnv(entry.name, entry.description, entry.optional);
      else remark(place, `${JSON.stringify(entry.name)} is no environment variable`, entry.at);
      return;
    case 'bins':
    case 'anyBins':
      return set.addBin(entry.name);
    case 'tools':
      return set.addTool(entry.name);
    case 'mcp':
      return set.addServer({
        name: entry.name,
        description: entry.description,
        transport: textOf(entry.members['transport']),
        url: textOf(entry.members['url']),
        command: textOf(entry.members['command']),
      });
    case 'config':
      // A setting with a default works without being set.
      if (entry.members['default'] === undefined && !entry.optional) set.addConfig(entry.name);
      return;
    case 'platforms':
      return set.addPlatform(entry.name);
    case 'skills':
      return set.addSkill(entry.name);
  }
}

/** `bins: [uv, [curl, wget]]`: a list in the list is a group of which one is enough. */
function groupless(set: RequirementSet, kind: RequirementKind, value: Json | undefined): Json | undefined {
  if (kind !== 'bins' || !isList(value)) return value;
  for (const group of value.filter(isList)) {
    set.addAnyBins(group.flatMap((name) => textOf(name) ?? []));
  }
  return value.map((item) => (isList(item) ? null : item)).filter((item) => item !== null);
}
