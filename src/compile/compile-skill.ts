import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';
import type { CatalogEntry } from '../catalog/catalog-entry.ts';
import { revisionDocument, type SkillFile } from '../catalog/revision.ts';
import { compatibilityOf } from '../format/compatibility.ts';
import type { Diagnostic } from '../format/diagnostic.ts';
import { parseSkill, SKILL_FILE_NAME } from '../format/parse-skill.ts';
import { COMPILER_VERSION, type Report } from './report.ts';

/** A document to be stored under its digest. */
export interface Document {
  readonly digest: Digest;
  readonly text: string;
}

export interface CompiledSkill {
  readonly name: string;
  readonly revision: Document;
  readonly report: Document;
  readonly fields: Report['fields'];
  readonly skillFile: SkillFile;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles one skill from its SKILL.md and the digests of its files. Pure: the same input gives the same documents on
 * a disk, in a Worker and in ten years, which is how a deployment checks what is pushed to it. `skill` is null when the
 * SKILL.md cannot be loaded; the diagnostics say why. Their paths are relative to the skill's folder.
 */
export function compileSkill(
  skillFileBytes: Uint8Array,
  files: readonly SkillFile[],
  fallbackName: string,
): { skill: CompiledSkill | null; diagnostics: readonly Diagnostic[] } {
  const parsed = parseSkill(skillFileBytes, fallbackName, SKILL_FILE_NAME);
  const skillFile = files.find((file) => file.path === SKILL_FILE_NAME);
  if (!parsed.skill || !skillFile) return { skill: null, diagnostics: parsed.diagnostics };
  const { name, fields, frontmatter, frontmatterText, body, diagnostics } = parsed.skill;
  const revision = revisionDocument({ name, files: [...files] });
  const report: Report = {
    compiler: COMPILER_VERSION,
    revision: revision.digest,
    name,
    fields,
    frontmatter,
    frontmatterText,
    diagnostics: [...diagnostics],
    compatibility: compatibilityOf(parsed.skill, frontmatterText, files),
    body: { characters: body.length, lines: body.split('\n').length },
  };
  const text = canonicalJson(report);
  return {
    skill: { name, revision, report: { digest: digestOf(text), text }, fields, skillFile, diagnostics },
    diagnostics,
  };
}

/** The catalog's row for a compiled skill. All but the name and the origins follows from the skill. */
export function catalogEntry(skill: CompiledSkill, name: string, origins: readonly string[]): CatalogEntry {
  const { fields } = skill;
  return {
    name,
    revision: skill.revision.digest,
    report: skill.report.digest,
    skillFile: { sha256: skill.skillFile.sha256, size: skill.skillFile.size },
    description: cut(fields.description, SKILL_LIMITS.entryDescriptionCharacters),
    whenToUse: cut(fields.whenToUse ?? '', SKILL_LIMITS.entryTriggerCharacters),
    shortDescription: cut(fields.shortDescription ?? '', SKILL_LIMITS.entryTriggerCharacters),
    version: fields.version,
    listing: fields.disableModelInvocation ? 'manual' : fields.paths.length > 0 ? 'conditional' : 'auto',
    userInvocable: fields.userInvocable,
    context: fields.context,
    origins: [...origins],
  };
}

function cut(text: string, limit: number): string {
  return (text.length <= limit ? text : text.slice(0, limit)).toWellFormed();
}
