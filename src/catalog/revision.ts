import { z } from 'zod';
import { byCodeUnit, canonicalJson } from '../core/canonical-json.ts';
import { type Digest, digestOf, isDigest } from '../core/digest.ts';
import { SKILL_LIMITS } from '../core/limits.ts';

export const DigestSchema = z.custom<Digest>(
  (value) => typeof value === 'string' && isDigest(value),
  'not a sha256 digest',
);

/** One file of a skill: its path below the skill's folder, with `/`, never absolute, never through `..`. */
export const SkillFile = z.strictObject({
  path: z.string().min(1).refine(isSafePath, 'not a path inside a skill'),
  size: z.int().nonnegative(),
  sha256: DigestSchema,
  executable: z.boolean(),
});
export type SkillFile = z.infer<typeof SkillFile>;

/** Everything that identifies a skill's bytes. Its canonical JSON is stored as a blob, named by the revision itself. */
export const Revision = z.strictObject({
  name: z.string().min(1).max(SKILL_LIMITS.nameCharactersHard),
  files: z.array(SkillFile).min(1).max(SKILL_LIMITS.files),
});
export type Revision = z.infer<typeof Revision>;

/** The revision document of some files, sorted: the same files in any order give the same bytes. */
export function revisionDocument(revision: Revision): { digest: Digest; text: string } {
  const files = revision.files.toSorted((left, right) => byCodeUnit(left.path, right.path));
  const text = canonicalJson({ name: revision.name, files });
  return { digest: digestOf(text), text };
}

/** A relative path of plain segments: no empty, `.` or `..` segment, no backslash, no control character. */
export function isSafePath(path: string): boolean {
  if (new TextEncoder().encode(path).length > SKILL_LIMITS.pathBytes) return false;
  // oxlint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return false;
  const segments = path.split('/');
  return (
    segments.length <= SKILL_LIMITS.pathSegments &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
