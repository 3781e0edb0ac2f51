import type { Json } from '../core/canonical-json.ts';
import { isPlainText } from '../core/plain-text.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { FieldReader } from './fields/field-reader.ts';
import type { FrontmatterKey } from './frontmatter-key.ts';
import { DEFAULT_MODE, type FormatMode } from './modes.ts';
import { parseFrontmatter } from './frontmatter/parse-frontmatter.ts';
import { readFields } from './fields/read-fields.ts';
import type { Frontmatter } from './frontmatter/read-yaml.ts';
import type { SkillFields } from './fields/skill-fields.ts';
import { splitDocument } from './frontmatter/split-document.ts';
import type { YamlFeatures } from './frontmatter/yaml-features.ts';

/** What a SKILL.md says. `body` is the Markdown after the frontmatter, line feeds only. */
export interface ParsedSkill {
  readonly name: string;
  readonly fields: SkillFields;
  /** The frontmatter as JSON, every key of the author's. */
  readonly frontmatter: { readonly [key: string]: Json };
  /** The same as it was written, without its fences and with line feeds only; null where the file has none. */
  readonly frontmatterText: string | null;
  readonly features: YamlFeatures;
  readonly body: string;
  readonly diagnostics: readonly Diagnostic[];
}

const SPEC_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const NO_FRONTMATTER: Frontmatter = { keys: new Map(), features: new Map(), diagnostics: [] };

export const SKILL_FILE_NAME = 'SKILL.md';

/**
 * Parses the bytes of a SKILL.md. `fallbackName` is the folder's name, used where the frontmatter has none. Returns null
 * in place of a skill when the file cannot be loaded; a diagnostic then has severity error.
 */
export function parseSkill(
  bytes: Uint8Array,
  fallbackName: string,
  path: string,
  mode: FormatMode = DEFAULT_MODE,
): { skill: ParsedSkill | null; diagnostics: Diagnostic[] } {
  const text = decodeSkillFile(bytes, path);
  if (typeof text !== 'string') return { skill: null, diagnostics: [text] };
  const document = splitDocument(text, path);
  const diagnostics = [...document.diagnostics];
  const frontmatter =
    document.frontmatter === null
      ? NO_FRONTMATTER
      : parseFrontmatter(document.frontmatter, document.frontmatterLine, path);
  diagnostics.push(...frontmatter.diagnostics);
  if (diagnostics.some((entry) => entry.severity === 'error')) return { skill: null, diagnostics };
  const named = readName(frontmatter.keys, fallbackName, path);
  const reader = new FieldReader(frontmatter.keys, mode, path);
  const fields = readFields(reader, document.body, named.name);
  diagnostics.push(...named.diagnostics, ...reader.diagnostics);
  const kept = boundDiagnostics(diagnostics, path);
  const values = [...frontmatter.keys].map(([key, entry]): [string, Json] => [key, entry.value]);
  const skill: ParsedSkill = {
    name: named.name,
    fields,
    frontmatter: Object.fromEntries(values),
    frontmatterText: document.frontmatter,
    features: frontmatter.features,
    body: document.body,
    diagnostics: kept,
  };
  return { skill, diagnostics: kept };
}

/** The Markdown body of a SKILL.md that has been compiled before, for serving it. */
export function skillBody(bytes: Uint8Array): string {
  return splitDocument(new TextDecoder().decode(bytes), SKILL_FILE_NAME).body;
}

function decodeSkillFile(bytes: Uint8Array, path: string): string | Diagnostic {
  if (bytes.length > SKILL_LIMITS.skillFileBytes) {
    return diagnostic('file-too-large', path, 1, `${SKILL_FILE_NAME} is larger than 1 MiB`);
  }
  try {
    // ignoreBOM keeps the mark in the text, where it is reported.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.trim() === '') return diagnostic('skill-file-empty', path, 1, 'the file is empty');
    if (text.includes('\u0000'))
      return diagnostic('skill-file-encoding', path, 1, 'the file has NUL characters');
    return text;
  } catch {
    return diagnostic('skill-file-encoding', path, invalidLine(bytes), 'the file is not UTF-8');
  }
}

/** The line of the first byte that is not UTF-8: decoding replaces it, and what came before is counted. */
function invalidLine(bytes: Uint8Array): number {
  const lossy = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  return lossy.slice(0, lossy.indexOf('\uFFFD')).split('\n').length;
}

function readName(
  keys: ReadonlyMap<string, FrontmatterKey>,
  folder: string,
  path: string,
): { name: string; diagnostics: Diagnostic[] } {
  const entry = keys.get('name');
  const fallback = isUsableName(folder) ? folder : 'skill';
  if (!entry || entry.value === null) {
    return {
      name: fallback,
      diagnostics: [diagnostic('name-missing', path, entry?.line ?? 1, 'the skill has no name')],
    };
  }
  const name = (typeof entry.value === 'string' ? entry.value : (entry.source ?? '')).trim();
  if (!isUsableName(name)) {
    return {
      name: fallback,
      diagnostics: [diagnostic('name-unusable', path, entry.line, 'the name cannot be used')],
    };
  }
  if (!SPEC_NAME.test(name) || name.length > SKILL_LIMITS.nameCharacters) {
    return {
      name,
      diagnostics: [
        diagnostic('name-invalid', path, entry.line, `the name ${JSON.stringify(name)} breaks the rules`),
      ],
    };
  }
  return { name, diagnostics: [] };
}

function isUsableName(name: string): boolean {
  return name !== '' && name.length <= SKILL_LIMITS.nameCharactersHard && isPlainText(name);
}

function boundDiagnostics(diagnostics: Diagnostic[], path: string): Diagnostic[] {
  const more = diagnostics.length - SKILL_LIMITS.diagnostics;
  if (more <= 0) return diagnostics;
  const kept = diagnostics.slice(0, SKILL_LIMITS.diagnostics);
  return [
    ...kept,
    diagnostic('diagnostics-more', path, kept.at(-1)?.line ?? 1, `${more} more remarks were left out`),
  ];
}
