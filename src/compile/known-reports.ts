import { canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf } from '../core/digest.ts';
import { revisionDocument, type SkillFile } from '../catalog/revision.ts';
import type { TokenCounter } from '../catalog/token-counts.ts';
import { SKILL_FILE_NAME } from '../format/parse-skill.ts';
import type { CompiledSkill, Document } from './compile-skill.ts';
import type { Report } from './report.ts';

/**
 * Reports of skills that were compiled before, by what they were compiled from. Only this compiler's: who keeps them
 * forgets them when it changes.
 */
export interface KnownReports {
  /** Null where there is none, or it is damaged. */
  recall(inputs: Digest): KnownReport | null;
  remember(inputs: Digest, report: Digest): void;
}

export interface KnownReport {
  readonly document: Document;
  readonly report: Report;
}

/** Of everything that decides what compiling a skill gives, the compiler apart. */
export function inputsOf(
  files: readonly SkillFile[],
  fallbackName: string,
  counter: TokenCounter | null,
): Digest {
  const named = files.map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable }));
  return digestOf(canonicalJson([named, fallbackName, counter?.name ?? null]));
}

/** A compiled skill from its report and its files; null where that is not a report of them. */
export function fromReport(
  { document, report }: KnownReport,
  contents: readonly SkillFile[],
): CompiledSkill | null {
  const files = contents.map(({ path, size, sha256, executable }) => ({ path, size, sha256, executable }));
  const skillFile = files.find(({ path }) => path === SKILL_FILE_NAME);
  const { name, fields, scan, tokens, diagnostics } = report;
  const revision = revisionDocument({ name, files });
  if (!skillFile || revision.digest !== report.revision) return null;
  return { name, revision, report: document, fields, scan, tokens, skillFile, diagnostics };
}
