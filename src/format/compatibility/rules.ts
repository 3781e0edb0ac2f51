import { FOREIGN_LIMITS, SKILL_LIMITS } from '../../core/limits.ts';
import type { DiagnosticCode } from '../diagnostic.ts';
import type { ParsedSkill } from '../parse-skill.ts';
import type { YamlFeature } from '../frontmatter/yaml-features.ts';

/** What the rules look at. */
export interface Judged {
  readonly skill: ParsedSkill;
  readonly frontmatterText: string | null;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The fields of agentskills.io; two of the four know no others. */
const SPEC_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);
const SPEC_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export function isSpecName(name: string): boolean {
  return name.length <= SKILL_LIMITS.nameCharacters && SPEC_NAME.test(name);
}

/** A sentence if our own reading of the file needed the gentleness that a code stands for. */
export function whereReported(judged: Judged, code: DiagnosticCode, sentence: string): string[] {
  const found = judged.skill.diagnostics.find((entry) => entry.code === code);
  return found ? [`${sentence} (line ${found.line})`] : [];
}

/** A sentence for each feature of YAML that a reader does not have. */
export function whereUsed(judged: Judged, features: Partial<Record<YamlFeature, string>>): string[] {
  return [...judged.skill.features].flatMap(([feature, line]) => {
    const what = features[feature];
    return what === undefined ? [] : [`${what} (line ${line})`];
  });
}

/** What every one of them needs before any field can be looked at. */
export function withoutYaml(judged: Judged): string[] {
  if (judged.frontmatterText === null) return ['it has no frontmatter'];
  return [
    ...whereReported(judged, 'frontmatter-not-a-map', 'the frontmatter is not a map'),
    ...whereReported(judged, 'yaml-invalid', 'the frontmatter is not YAML'),
    ...whereReported(judged, 'yaml-indent', 'the frontmatter is not YAML without repair'),
    ...whereReported(judged, 'yaml-repaired', 'the frontmatter is not YAML without repair'),
  ];
}

export function foreignFields(judged: Judged): string[] {
  const foreign = Object.keys(judged.skill.frontmatter).filter((key) => !SPEC_FIELDS.has(key));
  return foreign.length > 0 ? [`it has fields that are not allowed: ${foreign.join(', ')}`] : [];
}

/** `characters` counts as the one who asks does. */
export function descriptionReasons(
  judged: Judged,
  characters: (text: string) => number = codePoints,
): string[] {
  const { description } = judged.skill.frontmatter;
  if (typeof description !== 'string') return ['the description is missing or no text'];
  if (description.trim() === '') return ['the description is empty'];
  return characters(description) > SKILL_LIMITS.descriptionCharacters
    ? [`the description has more than ${SKILL_LIMITS.descriptionCharacters} characters`]
    : [];
}

export function compatibilityReasons(judged: Judged): string[] {
  const { compatibility } = judged.skill.frontmatter;
  if (compatibility === undefined) return [];
  if (typeof compatibility !== 'string') return ['the field compatibility is no text'];
  const length = codePoints(compatibility);
  return length === 0 || length > FOREIGN_LIMITS.compatibilityCharacters
    ? [`the field compatibility does not have 1-${FOREIGN_LIMITS.compatibilityCharacters} characters`]
    : [];
}

export function totalSize(judged: Judged): number {
  return judged.files.reduce((sum, file) => sum + file.size, 0);
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

export function codePoints(text: string): number {
  return text.length - (text.match(SURROGATE_PAIR)?.length ?? 0);
}
