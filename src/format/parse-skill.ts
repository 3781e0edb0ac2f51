import type { Json } from '../core/canonical-json.ts';
import { isPlainText } from '../core/plain-text.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import type { FrontmatterKey } from './frontmatter-key.ts';
import { parseFrontmatter } from './parse-frontmatter.ts';
import { readFields, type SkillFields } from './skill-fields.ts';
import { splitDocument } from './split-document.ts';

/** What a SKILL.md says. `body` is the Markdown after the frontmatter, line feeds only. */
export interface ParsedSkill {
  readonly name: string;
  readonly fields: SkillFields;
  /** The frontmatter as JSON, every key of the author's. */
  readonly frontmatter: { readonly [key: string]: Json };
  readonly body: string;
  readonly diagnostics: readonly Diagnostic[];
}

const SPEC_NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const SKILL_FILE_NAME = 'SKILL.md';

/**
 * Parses the bytes of a SKILL.md. `fallbackName` is the folder's name, used where the frontmatter has none. Returns null
 * in place of a skill when the file cannot be loaded; a diagnostic then has severity error.
 */
export function parseSkill(
  bytes: Uint8Array,
  fallbackName: string,
  path: string,
): { skill: ParsedSkill | null; diagnostics: Diagnostic[] } {
  const text = decodeSkillFile(bytes, path);
  if (typeof text !== 'string') return { skill: null, diagnostics: [text] };
  const document = splitDocument(text, path);
  const diagnostics = [...document.diagnostics];
  const frontmatter =
    document.frontmatter === null
      ? { keys: new Map<string, FrontmatterKey>(), diagnostics: [] }
      : parseFrontmatter(document.frontmatter, document.frontmatterLine, path);
  diagnostics.push(...frontmatter.diagnostics);
  if (diagnostics.some((entry) => entry.severity === 'error')) return { skill: null, diagnostics };
  const named = readName(frontmatter.keys, fallbackName, path);
  const read = readFields(frontmatter.keys, document.body, named.name, path);
  diagnostics.push(...named.diagnostics, ...read.diagnostics);
  const values = [...frontmatter.keys].map(([key, entry]): [string, Json] => [key, entry.value]);
  return {
    skill: {
      name: named.name,
      fields: read.fields,
      frontmatter: Object.fromEntries(values),
      body: document.body,
      diagnostics,
    },
    diagnostics,
  };
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
