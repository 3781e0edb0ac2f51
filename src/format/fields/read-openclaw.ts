import { z } from 'zod';
import type { ValuePath } from '../frontmatter-key.ts';
import { type FieldReader, isList, isMap, type JsonMap, textOf } from './field-reader.ts';
import { METADATA, vendorBlocks } from './read-metadata.ts';
import type { RequirementSet } from '../requires/requirement-set.ts';
import { type RequirementPlace, remark } from '../requires/requirement-entry.ts';
import { addRequirementMap, addRequirements, kindOf } from '../requires/requirement-kinds.ts';

/** How a missing program could be installed, in OpenClaw's words. Nothing here installs anything. */
export const Installer = z.strictObject({
  kind: z.enum(['brew', 'node', 'go', 'uv', 'download']),
  label: z.string().nullable(),
  /** The formula, package, module or address. */
  source: z.string(),
  sha256: z.string().nullable(),
  bins: z.array(z.string()),
  platforms: z.array(z.string()),
});
export type Installer = z.infer<typeof Installer>;

/** Its name, and the two it had before. */
const NAMES = ['openclaw', 'clawdbot', 'clawdis'];
/** Whether a block is `always` shown: then only the platform is checked (systems.md 3j). */
const PLATFORM_ONLY = new Set(['platforms', 'env']);

/** `metadata.openclaw`: its requirements go into the set, its installers are returned. */
export function readOpenClaw(reader: FieldReader, metadata: JsonMap, set: RequirementSet): Installer[] {
  return vendorBlocks(reader, metadata, NAMES).flatMap(({ block, at }) => {
    const place = (...path: ValuePath): RequirementPlace => ({ reader, key: METADATA, at: [...at, ...path] });
    const always = block['always'] === true;
    addRequirements(set, 'platforms', block['os'], place('os'));
    if (isMap(block['requires'])) {
      const requires = always ? whereAlways(block['requires']) : block['requires'];
      addRequirementMap(set, requires, place('requires'));
    }
    addRequirements(set, 'env', block['envVars'], place('envVars'));
    // The key that the user's settings fill in; it is needed only where `requires` says so too.
    const primary = textOf(block['primaryEnv']);
    if (primary !== null)
      addRequirements(set, 'env', [{ name: primary, optional: true }], place('primaryEnv'));
    return readInstallers(block, place('install'));
  });
}

function whereAlways(requires: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(requires).filter(([member]) => PLATFORM_ONLY.has(kindOf(member) ?? '')),
  );
}

function readInstallers(block: JsonMap, place: RequirementPlace): Installer[] {
  const { install } = block;
  if (!isList(install)) return [];
  return install.flatMap((item, index) => {
    const member = (name: string): string | null => (isMap(item) ? textOf(item[name]) : null);
    const list = (name: string): string[] => {
      const value = isMap(item) ? item[name] : undefined;
      return isList(value) ? value.flatMap((entry) => textOf(entry) ?? []) : [];
    };
    const parsed = Installer.safeParse({
      kind: member('kind'),
      label: member('label'),
      source: member('formula') ?? member('package') ?? member('module') ?? member('url'),
      sha256: member('sha256'),
      bins: list('bins'),
      platforms: list('os'),
    });
    if (!parsed.success)
      remark(place, 'the installer is of no known kind, or does not say what', [...place.at, index]);
    return parsed.success ? [parsed.data] : [];
  });
}
