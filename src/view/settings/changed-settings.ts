import { auditName, type ChangedSetting } from '../../audit/audit-act.ts';
import { byCodeUnit, canonicalJson, type Json } from '../../core/canonical-json.ts';
import { digestOf } from '../../core/digest.ts';
import { DEFAULT_SETTINGS, type OrgSettings } from './org-settings.ts';

/** What has parts by default. Others are lists and tables of an organisation's own names. */
const SECTIONS: ReadonlySet<string> = new Set(
  Object.entries(DEFAULT_SETTINGS)
    .filter(
      ([, value]) => typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 0,
    )
    .map(([key]) => key),
);

/**
 * Which settings are others now, in name order, each by the digests of what it was and is: what a setting is worth stays
 * in the settings. A section, such as `listing`, is told of by its parts.
 */
export function changedSettings(before: OrgSettings | null, after: OrgSettings): ChangedSetting[] {
  const [old, now] = [partsOf(before ?? DEFAULT_SETTINGS), partsOf(after)];
  const keys = [...new Set([...old.keys(), ...now.keys()])].toSorted(byCodeUnit);
  return keys
    .map((key) => ({ key: auditName(key), before: old.get(key) ?? null, after: now.get(key) ?? null }))
    .filter((change) => change.before !== change.after);
}

function partsOf(settings: OrgSettings) {
  return new Map(
    Object.entries(settings).flatMap(([key, value]: [string, Json]) =>
      SECTIONS.has(key)
        ? Object.entries(value ?? {}).map(([part, worth]: [string, Json]) => partOf(`${key}.${part}`, worth))
        : [partOf(key, value)],
    ),
  );
}

function partOf(key: string, value: Json) {
  return [key, digestOf(canonicalJson(value))] as const;
}
